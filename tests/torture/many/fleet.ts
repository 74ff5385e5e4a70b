import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import type { Services } from '../../../server/core/context.ts'
import { hashPassword } from '../../../server/core/passwords.ts'
import { readSettings } from '../../../server/core/settings.ts'
import { connect, type Database } from '../../../server/db/connect.ts'
import { signedIn } from '../../api/calling.ts'
import { makers } from '../../support/makers.ts'
import { startProxy, type TestProxy } from '../../support/proxy.ts'
import { type S3, startS3 } from '../../support/s3.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { type Smtp, startSmtp } from '../../support/smtp.ts'
import { type Bank, openBank } from './bank.ts'
import type { Headers } from './send.ts'

export const PASSWORD = 'Fieldwork-1!'
export const PROGRAM = 'tests/torture/many/server.ts'

/** Server processes on one PostgreSQL, one S3 and one reward provider, behind a proxy. */
export interface Fleet {
  proxy: TestProxy
  servers: TestServer[]
  /** The servers' addresses, to call one directly. */
  urls(): string[]
  s3: S3
  smtp: Smtp
  bank: Bank
  ledger: string
  database: Database
  make: ReturnType<typeof makers>
  admin: { id: number; email: string }
  headers: Headers
  client: { id: number }
  /** Opens a session for a user without a password. */
  session(user: { id: number; email: string }): Promise<Headers>
  /** Changes settings of the servers that start from now on. */
  change(settings: Record<string, string>): void
  /** Starts a server, of this release or another program, and tells the proxy. */
  start(nth: number, program?: string): Promise<void>
  stop(): Promise<void>
}

/** Starts `count` servers on an empty database at once, like an orchestrator. `env` has database and data folder. */
export async function startFleet(
  env: Record<string, string>,
  count = 3,
  program = PROGRAM,
  more: { settings?: Record<string, string>; passwords?: ReadonlySet<string> } = {},
): Promise<Fleet> {
  const [s3, smtp] = await Promise.all([startS3(), startSmtp(more.passwords)])
  const ledger = join(env.DATA_DIR!, 'ledger')
  const bank = await openBank(ledger)
  const shared: Record<string, string> = {
    ...env,
    DEMO: 'none',
    LOG_LEVEL: 'warn',
    FILES_URL: s3.filesUrl(),
    SMTP_URL: smtp.url,
    TRUST_PROXY: '1',
    DRAIN_SECONDS: '1',
    BANK: bank.url,
    ...more.settings,
  }
  const proxy = await startProxy(Array.from({ length: count }, () => 'http://127.0.0.1:9'))
  const settings = (nth: number) => ({
    ...shared,
    DATA_DIR: mkdtempSync(join(env.DATA_DIR!, `server-${nth}-`)),
    PUBLIC_URL: proxy.url,
  })
  const servers: TestServer[] = []
  const start = async (nth: number, other = program) => {
    servers[nth] = await startServer(settings(nth), other)
    proxy.set(nth, servers[nth].url)
  }
  await Promise.all(Array.from({ length: count }, (_, nth) => start(nth)))

  const database = connect({ url: env.DATABASE_URL!, poolSize: 4 })
  // Makers use only the services' database and settings.
  const services = { database, settings: readSettings(env) } as Services
  const make = makers(services)
  const client = await make.client({ name: 'Acme Beverage' })
  const admin = await make.user({
    role: 'admin',
    email: 'admin@fieldwork.test',
    first_name: 'Ada',
    password_hash: await hashPassword(PASSWORD),
  })
  return {
    proxy,
    servers,
    urls: () => servers.map((server) => server.url),
    s3,
    smtp,
    bank,
    ledger,
    database,
    make,
    admin,
    client,
    headers: await signedIn(services, admin),
    session: (user) => signedIn(services, user),
    change: (settings) => void Object.assign(shared, settings),
    start,
    async stop() {
      await proxy.stop()
      await Promise.all(servers.map((server) => server.kill()))
      await Promise.all([bank.stop(), smtp.stop(), s3.stop(), database.close()])
    },
  }
}
