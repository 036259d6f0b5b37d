/** Answers to questions that take long: each is good for a while, and a question under way is shared by all who ask it. */
export type KeptAnswers<Answer> = {
  /** The answer to the question with this name. Undefined where too many others are under way. Rejects as the question does. */
  get(name: string, question: () => Promise<Answer>): Promise<Answer> | undefined;
};

/** Keeps at most `max` answers, the latest, each for `keepMs`; at most `maxAsked` questions are under way. */
export function createKeptAnswers<Answer>(terms: {
  keepMs: number;
  max: number;
  maxAsked: number;
}): KeptAnswers<Answer> {
  const asked = new Map<string, Promise<Answer>>();
  const kept = new Map<string, { answer: Promise<Answer>; at: number }>();
  const keep = (name: string, answer: Promise<Answer>): void => {
    kept.delete(name);
    kept.set(name, { answer, at: performance.now() });
    const [oldest] = kept.keys();
    if (kept.size > terms.max && oldest !== undefined) kept.delete(oldest);
  };
  return {
    get(name, question) {
      const known = kept.get(name);
      if (known && performance.now() - known.at < terms.keepMs) return known.answer;
      const running = asked.get(name);
      if (running || asked.size >= terms.maxAsked) return running;
      const answer = question();
      asked.set(name, answer);
      answer.then(
        () => {
          asked.delete(name);
          keep(name, answer);
        },
        () => asked.delete(name),
      );
      return answer;
    },
  };
}
