import { NotRestored } from './backup/load.ts'
import { TornArchive } from './backup/tar.ts'
import { DataDirLocked } from './core/dataDirLock.ts'
import { SettingsError } from './core/settings.ts'
import { postgresErrors, reasonOf, sqliteErrors } from './db/dbErrors.ts'
import { SchemaTooNew } from './db/migrate.ts'

const OURS = [SettingsError, SchemaTooNew, DataDirLocked, NotRestored, TornArchive]

/** Why a process can't start, as a sentence for operators; null if only a stack trace explains it. */
function sentenceOf(error: unknown): string | null {
  if (OURS.some((kind) => error instanceof kind)) return (error as Error).message
  const { code = '', path = '' } = (error ?? {}) as { code?: string; path?: string }
  const reason = reasonOf(error).replace(/\.$/, '')
  if (code.startsWith('ERR_PARSE_ARGS')) return `${reason}.`
  if (sqliteErrors.isFull(error) || postgresErrors.isFull(error)) return `There is no room on the disk: ${reason}.`
  if (code === 'ENOENT' && path && !/connect/.test(reason)) return `There is no ${path}.`
  if (/^(EACCES|EPERM|EROFS|EISDIR|ENOTDIR)$/.test(code) && path) return `${path} can’t be read or written: ${reason}.`
  if (/^(3D000|28)/.test(code)) return `The server of DATABASE_URL refuses: ${reason}.`
  if (code === '42P01') return 'There are no Fieldwork tables in the database of DATABASE_URL.'
  if (sqliteErrors.isUnavailable(error)) return `The database can’t be opened: ${reason}.`
  if (postgresErrors.isUnavailable(error)) return `The database of DATABASE_URL can’t be reached: ${reason}.`
  return null
}

/** Ends the process with the sentence, or with the stack if there is none. */
export function giveUp(error: unknown): never {
  console.error(sentenceOf(error) ?? error)
  process.exit(1)
}
