/**
 * The names of what is locked: the webhooks of a subject, whose order is that of the commits that add them, and the refunds of a
 * payment. PostgreSQL's procedures lock single webhooks and quotas, too, and payments by the form of their transaction_id.
 */
export const locks = {
  subject: (subject: string): string => `subject ${subject}`,
  payment: (account: string, transactionId: string): string => `payment ${account} ${transactionId}`,
};
