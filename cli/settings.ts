import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { withoutEnd } from '../contract/textEnds.ts'
import { UsageError } from '../verbs/errors.ts'
import { EXIT, ExitError } from './errors.ts'

/** The server's address and the token, which is null when signed out. */
export interface Connection {
  /** Without a trailing slash. */
  url: string
  token: string | null
}

type Env = Readonly<Record<string, string | undefined>>

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Checks a server's address; throws for one that would reveal the token to others. */
export function checkedUrl(text: string, insecure = false): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol)) throw new UsageError(`“${text}” isn’t a web address (https://…).`)
  if (url.username || url.password) throw new UsageError('The server’s address can’t contain a name or password.')
  if (url.search || url.hash) throw new UsageError('The server’s address can’t contain a query.')
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname) && !insecure)
    throw new UsageError(`${url.origin} isn’t encrypted, so others could read the token. Use https, or add --insecure-http.`)
  return withoutEnd(url.href, (sign) => sign === '/')
}

/** Checks that a token fits into a header; the error doesn't repeat the token. */
export function checkedToken(text: string): string {
  const token = text.trim()
  if (!/^[\x21-\x7e]{8,200}$/.test(token))
    throw new UsageError('This isn’t a token. It must be one word, as shown when it was created.')
  return token
}

/** The file with the stored sign-in. */
export const credentialsFile = (env: Env): string =>
  join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'fieldwork', 'credentials.json')

/** Reads the stored connection; null without one. Throws if others can read it. */
function stored(env: Env): { url: string; token: string } | null {
  const file = credentialsFile(env)
  let text: string
  try {
    if (process.platform !== 'win32' && statSync(file).mode & 0o077)
      throw new ExitError(`Others can read ${file}, which holds your token: run “chmod 600” on it.`)
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  try {
    const { url, token } = JSON.parse(text) as Record<string, unknown>
    if (typeof url === 'string' && typeof token === 'string') return { url, token }
  } catch {
    // Reported below, like a file with other contents.
  }
  throw new ExitError(`${file} is damaged: sign in again with “fieldwork login”.`)
}

/** Stores a connection in a file that only its owner can read. */
export function store(env: Env, connection: { url: string; token: string }): string {
  const file = credentialsFile(env)
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(connection)}\n`, { mode: 0o600 })
  chmodSync(draft, 0o600)
  renameSync(draft, file)
  return file
}

/** Deletes the stored connection. */
export const forget = (env: Env): void => rmSync(credentialsFile(env), { force: true })

/** The connection of this run; a stored token is used only for the server it was stored with. */
export function connectionOf(env: Env, insecure = false): Connection {
  const saved = env.FIELDWORK_TOKEN && env.FIELDWORK_URL ? null : stored(env)
  const address = env.FIELDWORK_URL || saved?.url
  if (!address) throw new ExitError('Which server? Set FIELDWORK_URL, or sign in with “fieldwork login https://…”.', EXIT.signIn)
  const url = checkedUrl(address, insecure)
  const token = env.FIELDWORK_TOKEN || (saved?.url === url ? saved.token : null)
  return { url, token: token === null ? null : checkedToken(token) }
}
