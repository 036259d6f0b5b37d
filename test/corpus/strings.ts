/** One text that breaks careless programs. */
type HostileText = {
  name: string;
  text: string;
  /**
   * False if the encodings of the specification (JSON, XML, form) cannot all carry it, or if it is too long: it must
   * be refused.
   */
  isText: boolean;
};

const carried = (name: string, text: string): HostileText => ({ name, text, isText: true });
const refused = (name: string, text: string): HostileText => ({ name, text, isText: false });

/** A published test card, which must appear in no answer and no log line. */
export const cardLike = '4111111111111111';

/** Texts for every free field of every route. */
export const hostileTexts: readonly HostileText[] = [
  carried('SQL that ends a statement', "'; DROP TABLE sessions; --"),
  carried('SQL that is always true', "' OR '1'='1"),
  carried('SQL with a comment', 'admin"/*'),
  carried('a LIKE wildcard', '%_%'),
  carried('a script element', '<script>alert(1)</script>'),
  carried('an image with a handler', '"><img src=x onerror=alert(1)>'),
  carried('an SVG', '<svg/onload=alert`1`>'),
  carried('a closing element of the answer', '</order_no></respon><respon>'),
  carried('an entity', '&xxe;&amp;lt;&#0;'),
  carried('a CDATA end', ']]><![CDATA['),
  carried('a document type', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>'),
  carried('format directives of C', '%s%n%x%d%p'),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a template injection.
  carried('format directives of Python and Java', '{0.__class__} ${jndi:ldap://127.0.0.1/a}'),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as above.
  carried('a template', '{{7*7}} <%= 7*7 %> #{7*7} ${7*7}'),
  carried('a shell command', '$(touch /tmp/pwned) `id` | cat; && exit'),
  carried('a path upwards', '../../../../etc/passwd'),
  carried('a Windows device', 'CON'),
  carried('encoded slashes and percent signs', '..%2f..%5c%00%zz%'),
  carried('a form in a value', 'a=b&c=d;e+f#g?h'),
  carried('separators of items', '#,#'),
  carried('half a separator of items', 'tea#'),
  carried('a BOM inside', '\uFEFFtext'),
  carried('text from right to left', 'مرحبا \u202E3021 \u2066x\u2069'),
  carried('a family of emoji', '👨‍👩‍👧‍👦🏳️‍🌈👩🏽‍💻'),
  carried('a flag and a keycap', '🇧🇷 1️⃣'),
  carried('zalgo', 'Z\u0351\u036B\u0343\u036A\u0302A\u0334\u0335\u031EL\u034DG\u0321O\u0336'),
  carried('zero-width text', '\u200B\u200C\u200D\u2060'),
  carried('a combining mark alone', '\u0301'),
  carried('letters that look alike', 'раypаl'),
  carried('letters that case-mapping makes longer', 'ß ŉ ǰ ΐ İ'),
  carried('full-width digits', '１２３'),
  carried('line separators of Unicode', 'a\u2028b\u2029c'),
  carried('a noncharacter beyond the first plane', '\u{1FFFE}'),
  carried('private use', '\uE000\u{10FFFD}'),
  carried('an interlinear anchor', '\uFFF9\uFFFA\uFFFB'),
  carried('the replacement character', '\uFFFD'),
  carried('words of JavaScript', 'undefined null NaN Infinity true [object Object]'),
  carried('names of a prototype', '__proto__'),
  carried('a constructor', 'constructor.prototype.polluted'),
  carried('a number', '1e999'),
  carried('quotes and backslashes', '\\"\'`´\\u0000\\x00'),
  carried('a card number in words', `card ${cardLike}`),
  carried('spaces alone', '   '),
  refused('NUL', 'a\u0000b'),
  refused('bell and backspace', '\u0007\u0008'),
  refused('escape sequences of a terminal', '\u001b[31mred\u001b]0;title\u0007'),
  refused('DEL', '\u007f'),
  refused('a C1 control character', '\u0085\u009b'),
  refused('half a surrogate pair', 'a\ud83d'),
  refused('the other half', '\ude00b'),
  refused('the halves the wrong way round', '\ude00\ud83d'),
  refused('U+FFFE', '\ufffe'),
  refused('U+FFFF', '\uffff'),
  refused('a very long text', 'x'.repeat(200_000)),
  refused('a very long text of wide characters', '𝒳'.repeat(50_000)),
];

/** Texts that are valid in prose but not in a name, which must be one line. */
export const brokenLines: readonly HostileText[] = [
  refused('a line end', 'a\nb'),
  refused('a header smuggled in', 'a\r\nSet-Cookie: stolen=1\r\n\r\n<html>'),
  refused('a tab', 'a\tb'),
  refused('nothing', ''),
  refused('256 characters', 'n'.repeat(256)),
];
