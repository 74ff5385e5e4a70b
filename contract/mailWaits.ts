/** How many seconds an email or action that reaches people outside waits, while it can be undone. */
export const MAIL_WAITS = 8
/** The longest wait that a person may set for themselves (decisions.md 14). */
export const LONGEST_WAIT = 30
