import { MAIL_WAITS } from '../../contract/mailWaits.ts'

/** Where the user's own wait comes from; commands are read outside the workspace, too, where nobody has one. */
export const outsideWait = { of: (): number => MAIL_WAITS }
/** How many seconds an action that reaches people outside waits, while it can be undone: 8, or the user's own. */
export const outsideSeconds = (): number => outsideWait.of()
