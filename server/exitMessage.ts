import { NotRestored } from './backup/load.ts'
import { TornArchive } from './backup/tar.ts'
import { ContentsMissing } from './backup/writeBackup.ts'
import { DataDirLocked } from './core/dataDirLock.ts'
import { HttpError } from './core/errors.ts'
import { SettingsError } from './core/settings.ts'
import { DatabaseUnavailable, postgresErrors, reasonOf, sqliteErrors } from './db/dbErrors.ts'
import { SchemaTooNew, SchemaTooOld } from './db/migrate.ts'

/** Thrown by a command for what it can't do; the message is the whole answer. */
export class Refused extends Error {}

const OURS = [
  Refused,
  ContentsMissing,
  HttpError,
  SettingsError,
  SchemaTooNew,
  SchemaTooOld,
  DataDirLocked,
  NotRestored,
  TornArchive,
]

const DAMAGED = 'The database is damaged: stop the server, keep a copy of it, and restore a backup with npm run restore'

/** Why a process can't start or a command failed, as a sentence for operators. */
export function sentenceOf(error: unknown): string {
  if (OURS.some((kind) => error instanceof kind)) return (error as Error).message
  if (error instanceof DatabaseUnavailable && error.cause) return sentenceOf(error.cause)
  const { code = '', path = '' } = (error ?? {}) as { code?: string; path?: string }
  const reason = reasonOf(error).replace(/\.$/, '')
  if (code.startsWith('ERR_PARSE_ARGS')) return `${reason}.`
  if (sqliteErrors.isFull(error) || postgresErrors.isFull(error)) return `There is no room on the disk: ${reason}.`
  if (sqliteErrors.isDamaged(error) || postgresErrors.isDamaged(error)) return `${DAMAGED} (${reason}).`
  if (code === 'ENOENT' && path && !/connect/.test(reason)) return `There is no ${path}.`
  if (code === 'EEXIST' && path) return `${path} is no folder, and leads to none.`
  if (/^(EACCES|EPERM|EROFS|EISDIR|ENOTDIR)$/.test(code) && path) return `${path} can’t be read or written: ${reason}.`
  if (/^(3D000|28)/.test(code)) return `The server of DATABASE_URL refuses: ${reason}.`
  if (reason.includes('does not support SSL'))
    return 'The server of DATABASE_URL has no TLS: turn it on there, or take sslmode out of DATABASE_URL.'
  if (/CERT|SIGNATURE|^ERR_(SSL|TLS)/.test(`${code} ${reason}`))
    return `The TLS of DATABASE_URL’s server isn’t accepted: ${reason}. With sslmode=verify-full&sslrootcert=/path/to/ca.pem in DATABASE_URL its authority is trusted (docs/operating.md).`
  if (code === '42P01') return 'There are no Fieldwork tables in the database of DATABASE_URL.'
  if (sqliteErrors.isUnavailable(error)) return `The database can’t be opened: ${reason}.`
  if (postgresErrors.isUnavailable(error)) return `The database of DATABASE_URL can’t be reached: ${reason}.`
  return `Something unexpected went wrong: ${reason}. LOG_LEVEL=debug also says where.`
}

/** Ends the process with exit code 1 and one sentence; LOG_LEVEL=debug adds where the error came from. */
export function giveUp(error: unknown): never {
  console.error(sentenceOf(error))
  if (/^(debug|trace)$/.test(process.env.LOG_LEVEL ?? '')) console.error(error)
  process.exit(1)
}
