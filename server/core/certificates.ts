import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { isIP, connect as reach, type Socket } from 'node:net'
import { type ConnectionOptions, connect as dial } from 'node:tls'
import type { Settings } from './settings.ts'

const WITHIN_MS = 5000
/** The most that a mail server's greeting has. */
const GREETING = 20_000

/** A server with TLS that the settings name, and until when its certificate is valid, or why it isn't. */
export interface Certificate {
  name: string
  until: Date | null
  fault: string | null
}

interface Server {
  name: string
  host: string
  port: number
  /** The file of the authority that it is checked by. */
  authority?: string | undefined
  /** Asks an open connection to go on with TLS; false if the server has none. Other checks say if it isn't reached. */
  ask?: (socket: Socket, signal: AbortSignal) => Promise<boolean>
}

/** PostgreSQL's SSLRequest, which it answers with S or N. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])
async function askPostgres(socket: Socket, signal: AbortSignal): Promise<boolean> {
  socket.write(SSL_REQUEST)
  const [answer] = (await once(socket, 'data', { signal })) as [Buffer]
  return answer.toString() === 'S'
}

async function askSmtp(socket: Socket, signal: AbortSignal): Promise<boolean> {
  const answer = async () => {
    let text = ''
    while (!/^\d{3}(?: .*)?\r?\n/m.test(text) && text.length < GREETING)
      text += String(((await once(socket, 'data', { signal })) as [Buffer])[0])
    return text
  }
  await answer()
  socket.write('EHLO fieldwork\r\n')
  if (!/^250[ -]STARTTLS/im.test(await answer())) return false
  socket.write('STARTTLS\r\n')
  return (await answer()).startsWith('220')
}

/** The servers with TLS that the settings name. */
function serversOf({ publicUrl, publicUrlSet, smtpUrl, filesUrl, databaseUrl, directUrl, readUrls }: Settings): Server[] {
  const endpoint = filesUrl?.startsWith('s3:') ? new URL(filesUrl).searchParams.get('endpoint') : null
  const databases: [string, string | null][] = [
    ['DATABASE_URL', databaseUrl],
    ['DATABASE_LISTEN_URL', directUrl === databaseUrl ? null : directUrl],
    ...readUrls.map((url): [string, string] => ['DATABASE_READ_URL', url]),
  ]
  const named: [string, string | null, string, number][] = [
    ['PUBLIC_URL', publicUrlSet ? publicUrl : null, 'https:', 443],
    ['SMTP_URL', smtpUrl, 'smtps:', 465],
    ['SMTP_URL', smtpUrl, 'smtp:', 587],
    ['FILES_URL', endpoint, 'https:', 443],
  ]
  const hostOf = (url: URL) => url.hostname.replace(/^\[|\]$/g, '')
  return [
    ...named.flatMap(([name, address, protocol, usual]): Server[] => {
      const url = address ? new URL(address) : null
      if (url?.protocol !== protocol) return []
      const ask = protocol === 'smtp:' ? { ask: askSmtp } : {}
      return [{ name, host: hostOf(url), port: Number(url.port) || usual, ...ask }]
    }),
    ...databases.flatMap(([name, address]): Server[] => {
      const url = address ? new URL(address) : null
      const mode = url?.searchParams.get('sslmode') ?? 'disable'
      if (!url?.hostname || mode === 'disable') return []
      const authority = url.searchParams.get('sslrootcert') ?? undefined
      return [{ name, host: hostOf(url), port: Number(url.port) || 5432, authority, ask: askPostgres }]
    }),
  ]
}

/** Looks at the certificates of all servers with TLS that the settings name. */
export async function certificatesOf(settings: Settings, withinMs = WITHIN_MS): Promise<Certificate[]> {
  const seen = await Promise.all(
    serversOf(settings).map(async (server) => {
      const name = `${server.name} (${server.host}:${server.port})`
      try {
        const found = await certificateOf(server, AbortSignal.timeout(withinMs))
        return found && { name, ...found }
      } catch (error) {
        if (server.ask && (error as { syscall?: string }).syscall) return null
        const late = (error as Error).name === 'AbortError'
        return { name, until: null, fault: late ? `no answer within ${withinMs / 1000} s` : (error as Error).message }
      }
    }),
  )
  return seen.filter((one) => one !== null)
}

/** A server's certificate; null if it offers no TLS. It is looked at even if it isn't valid, to say why. */
async function certificateOf(
  { host, port, authority, ask }: Server,
  signal: AbortSignal,
): Promise<Omit<Certificate, 'name'> | null> {
  const how: ConnectionOptions = { host, rejectUnauthorized: false, ...(!isIP(host) && { servername: host }) }
  if (authority !== undefined) how.ca = readFileSync(authority)
  const socket = reach({ host, port })
  socket.on('error', () => {})
  try {
    await once(socket, 'connect', { signal })
    if (ask && !(await ask(socket, signal))) return null
    const secured = dial({ ...how, socket })
    await once(secured, 'secureConnect', { signal })
    const until = secured.getPeerX509Certificate()?.validToDate ?? null
    return { until, fault: secured.authorized ? null : String(secured.authorizationError ?? 'it isn’t trusted') }
  } finally {
    socket.destroy()
  }
}
