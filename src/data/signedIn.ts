import { browserStore } from './browserStore.ts'

/** Where this browser stores who is signed in. The session itself is a cookie that scripts can't read. */
export const SIGNED_IN = 'fieldwork.signed-in'

/** True if a user may be signed in. Otherwise public pages don't ask the server, which would return a 401. */
export const maybeSignedIn = (): boolean => browserStore.text(SIGNED_IN) !== null
