import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { isTimeZone } from '../../contract/format.ts'
import { nearest } from '../../contract/nearest.ts'
import { withoutEnd } from '../../contract/textEnds.ts'
import { type KeepDays, readKeepDays } from './keepDays.ts'
import { type Limits, readLimits } from './limits.ts'

/** Everything an operator can set, checked once at startup. */
export interface Settings {
  port: number
  host: string
  dataDir: string
  databaseUrl: string | null
  /** A URL that bypasses the pooler, for LISTEN, migrations and session locks; equals DATABASE_URL without a pooler. */
  directUrl: string | null
  /** Read replicas of DATABASE_URL, one server each; empty without any. */
  readUrls: string[]
  smtpUrl: string | null
  filesUrl: string | null
  mapStyleUrl: string | null
  publicUrl: string
  /** True if PUBLIC_URL was set; otherwise it is built from host and port. */
  publicUrlSet: boolean
  timeZone: string
  demo: 'demo' | 'mid' | 'large' | 'none'
  /** True if DEMO was set; without it the size is `demo`. */
  demoChosen: boolean
  /** The settings that show this server is reachable by others; empty on one's own machine. */
  publicBecause: string[]
  /** Link-signing keys from the environment: the first signs, any opens; empty if the installation keeps its own. */
  signingKeys: string[]
  /** Where product-usage events go: to our own server, or nowhere. */
  analytics: boolean
  /** Where `GET /metrics` is served, away from the public port; null for nowhere. */
  metricsPort: number | null
  metricsHost: string
  /** Where traces are sent (OTLP over HTTP), under which name, and what share of them; null for nowhere. */
  traces: { url: string; service: string; share: number } | null
  /** How many proxies append to X-Forwarded-For in front of this server; 0 for none. */
  trustProxy: number
  /** Seconds a stopping server still responds, until the proxy in front notices. */
  drainSeconds: number
  /** The most exports one user may have queued and running. */
  openExports: number
  /** Years for which history is kept, except what an audit needs; 0 for all. */
  historyYears: number
  /** Months for which live events are kept, at most the newest 100,000; 0 for no limit by age. */
  eventMonths: number
  /** Seconds in which a usual body must arrive; NDJSON gets five times as long, an upload fifteen. */
  bodySeconds: number
  /** Origins whose pages may call the API by token or key, never with cookies; empty for none. */
  corsOrigins: string[]
  /** What assistants may do over HTTP (`/mcp`) with a token: nothing, read, or also what the token's scopes change. */
  mcp: 'off' | 'read' | 'write'
  /** Networks inside that webhooks may reach, by http too; empty for none. */
  webhookInside: string[]
  /** Limits for one user (server/core/limits.ts). */
  limits: Limits
  /** Days for which what grows by itself is kept (server/core/keepDays.ts); 0 for all. */
  keepDays: KeepDays
  /** The lowest level of lines in the log. */
  logLevel: string
  test: boolean
}

/** Thrown with a clear sentence for each wrong setting. */
export class SettingsError extends Error {}

/** TABLE  every setting of the server and its commands; docs/settings.md says what each is for. */
export const SETTINGS = [
  ...['PORT', 'HOST', 'DATA_DIR', 'DATABASE_URL', 'DATABASE_LISTEN_URL', 'DATABASE_READ_URL', 'METRICS_PORT', 'METRICS_HOST'],
  ...['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_SERVICE_NAME', 'OTEL_TRACES_SAMPLER_ARG', 'LOG_LEVEL', 'SMTP_URL', 'FILES_URL'],
  ...[
    'MAP_STYLE_URL',
    'PUBLIC_URL',
    'TIME_ZONE',
    'DEMO',
    'SIGNING_KEY',
    'OPEN_EXPORTS',
    'HISTORY_YEARS',
    'EVENT_MONTHS',
    'KEEP_DAYS',
  ],
  ...['LIMITS', 'BODY_SECONDS', 'ANALYTICS', 'CORS_ORIGINS', 'MCP', 'WEBHOOK_INSIDE', 'TRUST_PROXY', 'DRAIN_SECONDS'],
  ...['ADMIN_PASSWORD', 'NODE_ENV'],
]

/** Shorter names are too near to others'. */
const LONG_NAME = 6

/** A sentence for each variable that is nearly the name of a setting. */
export function nearlySpelled(names: readonly string[]): string[] {
  const long = SETTINGS.filter((name) => name.length >= LONG_NAME)
  return names
    .filter((name) => !SETTINGS.includes(name))
    .flatMap((name) => {
      const near = nearest(name, long)
      return near && Math.abs(near.length - name.length) <= 2 ? [`${name} is no setting of Fieldwork. Is ${near} meant?`] : []
    })
}

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

/** True if a host is reachable only from this machine. */
const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

const withoutSlash = (url: string | null) => (url === null ? undefined : withoutEnd(url, (sign) => sign === '/'))

const TLS_MODES = ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full']

/** An address of PostgreSQL whose sslmode says what pg does with it: all that ask for TLS check its certificate. */
function withCheckedTls(name: string, address: string, faults: string[]): string {
  const url = URL.canParse(address) ? new URL(address) : null
  const mode = url?.searchParams.get('sslmode')
  if (!url || mode === undefined || mode === null || url.searchParams.get('uselibpqcompat') === 'true') return address
  if (!TLS_MODES.includes(mode)) faults.push(`${name}: sslmode must be ${TLS_MODES.join(', ')}, not "${mode}".`)
  if (!/^(prefer|require|verify-ca)$/.test(mode)) return address
  url.searchParams.set('sslmode', 'verify-full')
  return url.href
}

/** True for an IP address, or a network as address/bits. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const version = isIP(address)
  return (
    version > 0 && !more.length && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)))
  )
}

/** Reads the settings from the environment; throws a SettingsError that names every wrong one. */
export function readSettings(env: Record<string, string | undefined>): Settings {
  const faults: string[] = []
  const text = (name: string, otherwise: string) => env[name]?.trim() || otherwise
  const url = (name: string, protocols: string[]): string | null => {
    const value = env[name]?.trim()
    if (!value) return null
    const protocol = URL.canParse(value) ? new URL(value).protocol.slice(0, -1) : ''
    if (!protocols.includes(protocol))
      faults.push(
        protocols.some((one) => value.startsWith(`${one}://`))
          ? `${name} can’t be read as an address: encode what has a meaning there, such as # as %23, / as %2F and @ as %40 in a password.`
          : `${name} must be an address that begins with ${protocols.map((one) => `${one}:`).join(' or ')}, not "${value.replace(/\/\/[^@/]*@/, '//…@')}".`,
      )
    else if (!['postgres', 'postgresql', 'file'].includes(protocol) && !new URL(value).hostname)
      faults.push(`${name} lacks the name of a ${protocol === 's3' ? 'bucket' : 'server'} after ${protocol}://.`)
    return value
  }
  const logLevel = text('LOG_LEVEL', process.stdout.isTTY ? 'warn' : 'info')
  if (!LEVELS.includes(logLevel)) faults.push(`LOG_LEVEL must be ${LEVELS.join(', ')}, not "${logLevel}".`)
  const port = Number(text('PORT', '4000'))
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    faults.push(`PORT must be a number from 0 to 65535, not "${env.PORT}".`)
  const host = text('HOST', '127.0.0.1')
  if (!isIP(host) && !/^[a-z0-9.-]+$/i.test(host))
    faults.push(
      `HOST must be an IP address or a host name${host.startsWith('[') ? ', an IPv6 address without brackets' : ''}, not "${host}".`,
    )
  const metricsPort = env.METRICS_PORT?.trim() ? Number(env.METRICS_PORT) : null
  if (metricsPort !== null && (!Number.isInteger(metricsPort) || metricsPort < 0 || metricsPort > 65_535))
    faults.push(`METRICS_PORT must be a number from 0 to 65535, not "${env.METRICS_PORT}".`)
  if (metricsPort && metricsPort === port) faults.push(`METRICS_PORT must be another port than PORT, not ${port} as well.`)
  const metricsHost = text('METRICS_HOST', '127.0.0.1')
  if (!isIP(metricsHost) && !/^[a-z0-9.-]+$/i.test(metricsHost))
    faults.push(`METRICS_HOST must be an IP address or a host name, not "${env.METRICS_HOST}".`)
  const timeZone = text('TIME_ZONE', 'America/New_York')
  if (!isTimeZone(timeZone)) faults.push(`TIME_ZONE must be a time zone such as America/New_York, not "${timeZone}".`)
  const demo = text('DEMO', 'demo')
  if (!['demo', 'mid', 'large', 'none'].includes(demo)) faults.push(`DEMO must be demo, mid, large or none, not "${demo}".`)
  const hops = text('TRUST_PROXY', 'off').replace(/^off$/, '0')
  if (!/^\d$/.test(hops))
    faults.push(`TRUST_PROXY must be the number of proxies in front of this server (1 for one), not "${env.TRUST_PROXY}".`)
  const drain = Number(text('DRAIN_SECONDS', hops === '0' ? '0' : '5'))
  if (!(drain >= 0 && drain <= 300)) faults.push(`DRAIN_SECONDS must be from 0 to 300, not "${env.DRAIN_SECONDS}".`)
  const signingKeys = text('SIGNING_KEY', '')
    .split(/[\s,]+/)
    .filter(Boolean)
  // The sentence must not repeat the key, which is a secret.
  if (signingKeys.some((key) => key.length < 32))
    faults.push(
      'SIGNING_KEY must be 32 characters or more (openssl rand -base64 36 makes one); the previous key may follow after a comma.',
    )
  const postgresUrl = (name: string) => {
    const value = url(name, ['postgres', 'postgresql'])
    return value === null ? null : withCheckedTls(name, value, faults)
  }
  const databaseUrl = postgresUrl('DATABASE_URL')
  const listenUrl = postgresUrl('DATABASE_LISTEN_URL')
  if (listenUrl && !databaseUrl)
    faults.push('DATABASE_LISTEN_URL needs DATABASE_URL: it is the direct way to the same database, past a pooler.')
  const readUrls = text('DATABASE_READ_URL', '')
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((one) => withCheckedTls('DATABASE_READ_URL', one, faults))
  // The sentence must not repeat the URL, which contains a password.
  if (readUrls.some((one) => !/^postgres(ql)?:$/.test(URL.canParse(one) ? new URL(one).protocol : '')))
    faults.push('DATABASE_READ_URL must be addresses that begin with postgres: or postgresql:, one for each replica.')
  if (readUrls.length && !databaseUrl) faults.push('DATABASE_READ_URL needs DATABASE_URL: it leads to replicas of that database.')
  const publicUrl = withoutSlash(url('PUBLIC_URL', ['http', 'https']))
  if (publicUrl && URL.canParse(publicUrl) && new URL(publicUrl).href !== `${new URL(publicUrl).origin}/`)
    faults.push(`PUBLIC_URL must be an address without a path, such as ${new URL(publicUrl).origin}, not "${publicUrl}".`)
  const filesUrl = url('FILES_URL', ['s3', 'file'])
  // A relative or a server's path would lead to another folder than it says.
  const place = filesUrl?.toLowerCase() ?? ''
  if (place.startsWith('file:') && !place.startsWith('file:///'))
    faults.push(`FILES_URL must name a folder by its whole path, such as file:///var/lib/fieldwork/files, not "${filesUrl}".`)
  const publicBecause = [
    ...(isLoopback(host) ? [] : [`HOST=${host}`]),
    ...(publicUrl?.startsWith('https:') ? [`PUBLIC_URL=${publicUrl}`] : []),
    ...(hops === '0' ? [] : [`TRUST_PROXY=${hops}`]),
    // Only the name, because the URL contains a password.
    ...(databaseUrl ? ['DATABASE_URL'] : []),
  ]
  const bodySeconds = Number(text('BODY_SECONDS', '60'))
  if (!(bodySeconds >= 0.1 && bodySeconds <= 3600))
    faults.push(`BODY_SECONDS must be from 0.1 to 3600, not "${env.BODY_SECONDS}".`)
  const openExports = Number(text('OPEN_EXPORTS', '10'))
  if (!Number.isInteger(openExports) || openExports < 1 || openExports > 10_000)
    faults.push(`OPEN_EXPORTS must be a whole number from 1 to 10000, not "${env.OPEN_EXPORTS}".`)
  const retention = (name: string, most: number): number => {
    const value = text(name, '0')
    if (!/^\d{1,4}$/.test(value) || Number(value) > most)
      faults.push(`${name} must be a whole number from 0 (all) to ${most}, not "${value}".`)
    return Number(value)
  }
  const corsOrigins = text('CORS_ORIGINS', '')
    .split(/[\s,]+/)
    .filter(Boolean)
  for (const origin of corsOrigins)
    if (
      !/^https?:$/.test(URL.canParse(origin) ? new URL(origin).protocol : '') ||
      new URL(origin).origin !== origin ||
      origin.includes('*')
    )
      faults.push(`CORS_ORIGINS must be origins such as https://app.example.com, without a path or *, not "${origin}".`)
  const webhookInside = text('WEBHOOK_INSIDE', '')
    .split(/[\s,]+/)
    .filter(Boolean)
  for (const network of webhookInside)
    if (!isNetwork(network)) faults.push(`WEBHOOK_INSIDE must be addresses or networks such as 10.1.2.0/24, not "${network}".`)
  const analytics = text('ANALYTICS', 'off')
  if (!['off', 'on'].includes(analytics)) faults.push(`ANALYTICS must be on or off, not "${env.ANALYTICS}".`)
  const mcp = text('MCP', 'read')
  if (!['off', 'read', 'write'].includes(mcp)) faults.push(`MCP must be off, read or write, not "${env.MCP}".`)
  const collector = withoutSlash(url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http', 'https']))
  const share = Number(text('OTEL_TRACES_SAMPLER_ARG', '1'))
  if (!(share >= 0 && share <= 1))
    faults.push(`OTEL_TRACES_SAMPLER_ARG must be from 0 to 1, not "${env.OTEL_TRACES_SAMPLER_ARG}".`)
  const limits = readLimits(text('LIMITS', ''), faults)
  const keepDays = readKeepDays(text('KEEP_DAYS', ''), faults)
  const settings: Settings = {
    port,
    host,
    dataDir: resolve(text('DATA_DIR', './data')),
    databaseUrl,
    directUrl: listenUrl ?? databaseUrl,
    readUrls,
    smtpUrl: url('SMTP_URL', ['smtp', 'smtps']),
    filesUrl,
    mapStyleUrl: url('MAP_STYLE_URL', ['http', 'https']),
    publicUrl: publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    publicUrlSet: publicUrl !== undefined,
    timeZone,
    demo: demo as Settings['demo'],
    demoChosen: Boolean(env.DEMO?.trim()),
    publicBecause,
    signingKeys,
    analytics: analytics === 'on',
    metricsPort,
    metricsHost,
    traces: collector ? { url: `${collector}/v1/traces`, service: text('OTEL_SERVICE_NAME', 'fieldwork'), share } : null,
    trustProxy: Number(hops),
    drainSeconds: drain,
    openExports,
    historyYears: retention('HISTORY_YEARS', 100),
    eventMonths: retention('EVENT_MONTHS', 1200),
    bodySeconds,
    corsOrigins,
    mcp: mcp as Settings['mcp'],
    webhookInside,
    limits,
    keepDays,
    logLevel,
    test: env.NODE_ENV === 'test',
  }
  if (faults.length) throw new SettingsError(faults.join('\n'))
  return settings
}

/** A warning about mail for the operator at startup, or null. */
export const mailWarning = ({ publicUrl, smtpUrl }: Pick<Settings, 'publicUrl' | 'smtpUrl'>): string | null =>
  publicUrl.startsWith('https:') && !smtpUrl
    ? 'SMTP_URL is not set: this server sends no email. Invitations and links for new passwords are kept in the Outbox, where administrators can read those of client users.'
    : null
