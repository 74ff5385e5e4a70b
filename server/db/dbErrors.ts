/** Thrown where the connection was lost in the very moment of a commit: nobody can say whether it was done. */
export class CommitUnknown extends Error {
  constructor(cause: unknown) {
    super('the connection was lost while a transaction was being committed', { cause })
  }
}

/** Thrown without asking: the database is known to be away. Of PostgreSQL's own class 08, connection exceptions. */
export class DatabaseAway extends Error {
  readonly code = '08006'
}

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '')
const messageOf = (error: unknown): string => (error instanceof Error ? `${error.message} ${codeOf(error)}` : String(error))

/** The words of an error; a host with several addresses answers one for each, and says nothing itself. */
export const reasonOf = (error: unknown): string =>
  error instanceof AggregateError && !error.message
    ? error.errors.map(reasonOf).join('; ')
    : error instanceof Error
      ? error.message
      : String(error)

/** True for a disk, a quota or a file-size limit that leaves no room, in whatever the error was wrapped. */
export function hasNoRoom(error: unknown): boolean {
  for (let at = error, depth = 0; at && depth < 6; at = (at as { cause?: unknown }).cause, depth++)
    if (/^(ENOSPC|EDQUOT|EFBIG)$/.test(codeOf(at))) return true
  return false
}

/**
 * SQLite's codes for a disk without room: FULL; IOERR_WRITE, as it tells a quota (EDQUOT) and a file-size limit (EFBIG) like this; IOERR_SHMSIZE, when the
 * index of its journal can't grow.
 */
const SQLITE_FULL = new Set([13, 778, 4874])

export const sqliteErrors = {
  isFull: (error: unknown) => SQLITE_FULL.has(Number((error as { errcode?: unknown } | null)?.errcode)) || hasNoRoom(error),
  isUnavailable: (error: unknown) => /database is locked|disk I\/O error|unable to open database/.test(messageOf(error)),
  isSlow: () => false,
}

/** 53100 is disk_full; a quota or a file-size limit PostgreSQL tells by the system's words alone. */
const NO_ROOM = /No space left on device|Disk quota exceeded|File too large/
const LOST =
  /ECONNREFUSED|ECONNRESET|terminated|timeout exceeded|timeout expired|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|not queryable|has been discarded/
/** 57014: the statement's time was over; 55P03: a lock was not to be had in time. */
const SLOW = /^(57014|55P03)$/

export const postgresErrors = {
  isFull: (error: unknown) => codeOf(error) === '53100' || NO_ROOM.test(messageOf(error)) || hasNoRoom(error),
  isUnavailable: (error: unknown) =>
    error instanceof CommitUnknown ||
    (/^(08|53|57P|25P03)/.test(codeOf(error)) && codeOf(error) !== '53100') ||
    LOST.test(messageOf(error)),
  isSlow: (error: unknown) => SLOW.test(codeOf(error)),
}
