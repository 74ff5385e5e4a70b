/** Thrown if the connection was lost during a commit, so that its outcome is unknown. */
export class CommitUnknown extends Error {
  constructor(cause: unknown) {
    super('the connection was lost while a transaction was being committed', { cause })
  }
}

/** Thrown without a query where the database can't be used; has a code of PostgreSQL's class 08. */
export class DatabaseUnavailable extends Error {
  readonly code = '08006'
}

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '')
const messageOf = (error: unknown): string => (error instanceof Error ? `${error.message} ${codeOf(error)}` : String(error))

/** An error's message; for a host with several addresses, the messages of all attempts. */
export const reasonOf = (error: unknown): string =>
  error instanceof AggregateError && !error.message
    ? error.errors.map(reasonOf).join('; ')
    : error instanceof Error
      ? error.message
      : String(error)

/** True for a full disk, quota or file-size limit, however deep the error is wrapped. */
export function hasNoRoom(error: unknown): boolean {
  for (let at = error, depth = 0; at && depth < 6; at = (at as { cause?: unknown }).cause, depth++)
    if (/^(ENOSPC|EDQUOT|EFBIG)$/.test(codeOf(at))) return true
  return false
}

/** SQLite's codes for a full disk: FULL, IOERR_WRITE (also EDQUOT and EFBIG) and IOERR_SHMSIZE. */
const SQLITE_FULL = new Set([13, 778, 4874])

/** SQLite's CORRUPT and NOTADB, and failed reads: IOERR_READ, IOERR_SHORT_READ, IOERR_DATA, IOERR_CORRUPTFS. */
const SQLITE_DAMAGED = new Set([11, 26])
const SQLITE_UNREAD = new Set([266, 522, 8202, 8458])
const sqliteCode = (error: unknown): number => Number((error as { errcode?: unknown } | null)?.errcode)

export const sqliteErrors = {
  isDamaged: (error: unknown) => SQLITE_DAMAGED.has(sqliteCode(error) & 0xff) || SQLITE_UNREAD.has(sqliteCode(error)),
  isFull: (error: unknown) => SQLITE_FULL.has(sqliteCode(error)) || hasNoRoom(error),
  isUnavailable: (error: unknown) => /database is locked|disk I\/O error|unable to open database/.test(messageOf(error)),
  isSlow: () => false,
  isCollision: () => false,
  isBeyondIds: () => false,
}

/** 53100 is disk_full; quotas and file-size limits appear only in the system's words. */
const NO_ROOM = /No space left on device|Disk quota exceeded|File too large/
const LOST =
  /ECONNREFUSED|ECONNRESET|ECONNABORTED|terminated|timeout exceeded|timeout expired|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENOTFOUND|EAI_AGAIN|not queryable|has been discarded/
/** 25006: the server is a replica, or a primary that another has replaced. */
const READ_ONLY = '25006'
/** 57014 is a statement timeout, 55P03 a lock timeout. */
const SLOW = /^(57014|55P03)$/

/** True if a statement waited too long for a lock. */
export const isLockTimeout = (error: unknown): boolean => codeOf(error) === '55P03'

/** Two transactions waited for each other, and PostgreSQL ended one. */
const DEADLOCK = '40P01'
/** A number that a column of 32 bits was compared with; PostgreSQL reports it instead of finding no row. */
const BEYOND = '22003'

/** data_corrupted, index_corrupted, a missing file, and a block that can't be read. */
const POSTGRES_DAMAGED = /^(XX001|XX002|58P01|58030)$/

export const postgresErrors = {
  isDamaged: (error: unknown) => POSTGRES_DAMAGED.test(codeOf(error)),
  isFull: (error: unknown) => codeOf(error) === '53100' || NO_ROOM.test(messageOf(error)) || hasNoRoom(error),
  isUnavailable: (error: unknown) =>
    error instanceof CommitUnknown ||
    (/^(08|53|57P|25P03)/.test(codeOf(error)) && codeOf(error) !== '53100') ||
    isReadOnly(error) ||
    LOST.test(messageOf(error)),
  isSlow: (error: unknown) => SLOW.test(codeOf(error)),
  isCollision: (error: unknown) => codeOf(error) === DEADLOCK,
  isBeyondIds: (error: unknown) => codeOf(error) === BEYOND && /out of range for type integer/.test(messageOf(error)),
}

/** True if a server refused a write because it is a replica, or no longer the primary. */
export const isReadOnly = (error: unknown): boolean => codeOf(error) === READ_ONLY
