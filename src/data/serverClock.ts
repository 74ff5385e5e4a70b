/** What a response's own way explains; a larger difference is this computer's clock. */
const TOLERATED_MS = 60_000
let ahead = 0

/** Compares this computer's clock with the server's, by the Date header of a response. */
export function noteServerTime(headers: Headers): void {
  const server = new Date(headers.get('date') ?? Number.NaN).getTime()
  if (Number.isNaN(server)) return
  const off = server - Date.now()
  ahead = Math.abs(off) > TOLERATED_MS ? off : 0
}

/** Returns the current moment by the server's clock: "today" must not depend on a wrong one here. */
export const serverTime = (): Date => new Date(Date.now() + ahead)
