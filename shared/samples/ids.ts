/** Sample ids in the real format. */
export const sessionId = 'cs_Zk3v9qP1mXw7LrT5bNc2HyGdU8sJaEf0';
export const clientSecret = `${sessionId}.4o0bq3xJ8n2u7VwWc5yKfRzLdTgHsPiMaQeXvBtYk1A`;
export const attemptId = 'at_Q7hV2cLx9ZrWk4TnPm8sYb3FdJgU6eAo';
export const operationId = 'op_N5tKx2RwVb8ZqLm4YcHs7PgJd3FuTe1A';
export const eventId = 'msg_H8dKq3Zx6VnRt1YwLb9McPfJs5Gu2EoT';
export const requestEntryId = 'rl_n1b9ab3dW7hV2cLx9ZrWk4TnPm8sYb3F';
export const transactionId = '20270331101501000042';
export const time = '2027-03-31T10:15:00.000Z';
