import { browserStore } from './browserStore.ts'

/** Where this browser notes who is signed in; the session is a cookie that scripts can't read. */
export const SIGNED_IN = 'fieldwork.signed-in'

/** True if somebody may be signed in: only then do public pages ask the server, which answers others with a 401. */
export const maybeSignedIn = (): boolean => browserStore.text(SIGNED_IN) !== null
