import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { How, Outcome } from '../../../scripts/torture/parts.ts'
import { readSettings } from '../../../server/core/settings.ts'
import { openFiles } from '../../../server/files/fileStore.ts'
import { runCli } from '../../support/cli.ts'
import { randomOf } from '../random.ts'
import { type Fleet, PROGRAM, startFleet } from './fleet.ts'
import { call, send } from './send.ts'
import { beginTraffic } from './traffic.ts'

/**
 * The part `rotate` of `npm run torture`: the secrets of two servers are changed as docs/operating.md says.
 * PostgreSQL asks for passwords here. Under steady traffic no request may fail.
 */
export async function tortureRotate(how: How): Promise<Outcome> {
  const seed = how.number('seed', 0) || Math.floor(Math.random() * 1e9)
  how.say(`seed ${seed}`)
  const env = await how.database()
  const admin = new pg.Client(env.DATABASE_URL)
  await admin.connect()
  await askForPasswords(admin)
  const urlOf = (user: string, password: string) => Object.assign(new URL(env.DATABASE_URL!), { username: user, password }).href
  const database = admin.escapeIdentifier(admin.database!)
  for (const statement of [`create role fieldwork login password 'old'`, `alter database ${database} owner to fieldwork`])
    await admin.query(statement)
  const passwords = new Set(['old'])
  const fleet = await startFleet(env, 2, PROGRAM, { settings: { DATABASE_URL: urlOf('fieldwork', 'old') }, passwords })
  const withPassword = (password: string) => fleet.smtp.url.replace('//', `//fieldwork:${password}@`)
  const faults: string[] = []
  try {
    fleet.change({ SMTP_URL: withPassword('old') })
    await restartInTurn(fleet)
    const traffic = await beginTraffic(fleet, randomOf(seed))
    await pause(1500)
    const rolled = async (what: string) => {
      await restartInTurn(fleet)
      how.say(`${what}; ${traffic.torn()} requests failed so far`)
      await pause(1500)
    }

    await admin.query(`create role fieldwork_2 login password 'new' in role fieldwork`)
    await admin.query('alter role fieldwork_2 set role fieldwork')
    fleet.change({ DATABASE_URL: urlOf('fieldwork_2', 'new') })
    await rolled('another role')
    await admin.query(`alter role fieldwork password 'another'`)

    passwords.add('new')
    fleet.change({ SMTP_URL: withPassword('new') })
    await rolled('another SMTP password')
    passwords.delete('old')

    // Both keys of the store are valid until the processes have the new one.
    await fleet.s3.setKeys({ S3RVER: 'S3RVER', another: 'new' })
    fleet.change({ FILES_URL: fleet.s3.filesUrl({ key: 'another', secret: 'new' }) })
    await rolled('another key of the file store')
    await fleet.s3.setKeys({ another: 'new' })
    await pause(1500)

    const link = await linkOf(fleet)
    const { code, err } = await runCli('signing-key', ['--rotate', '--keep-links'], {
      DATA_DIR: env.DATA_DIR,
      DATABASE_URL: urlOf('fieldwork_2', 'new'),
    })
    if (code !== 0) faults.push(`the signing key was not changed: ${err}`)
    await rolled('another signing key')
    if ((await send(link, { headers: fleet.headers })).status !== 200) faults.push('a link of the old key no longer works')

    const ended = await traffic.end()
    faults.push(...ended.faults)
    if (traffic.torn()) faults.push(`${traffic.torn()} requests failed`)
    const refused = await connects(urlOf('fieldwork', 'old'))
    if (refused !== '28P01') faults.push(`the old password of the database: ${refused}`)
    const old = await openFiles(readSettings({ ...env, FILES_URL: fleet.s3.filesUrl() }))
    const trouble = await old.trouble()
    if (!trouble?.fatal) faults.push(`the old key of the file store: ${trouble?.sentence ?? 'it still opens it'}`)
    for (const server of fleet.servers) if (/"level":50/.test(server.log())) faults.push('a server logged errors')
    return { figures: traffic.figures(), faults }
  } finally {
    await fleet.stop()
    await admin.end()
  }
}

/** PostgreSQL here trusts everybody; from now on only its superuser needs no password. */
async function askForPasswords(admin: pg.Client): Promise<void> {
  const { rows } = await admin.query<{ hba_file: string }>('show hba_file')
  const file = rows[0]!.hba_file
  writeFileSync(file, `local all postgres trust\nlocal all all scram-sha-256\n${readFileSync(file, 'utf8')}`)
  await admin.query('select pg_reload_conf()')
}

async function restartInTurn(fleet: Fleet): Promise<void> {
  for (const [nth, old] of [...fleet.servers.entries()]) {
    await old.stop()
    await fleet.start(nth)
    await pause(700)
  }
}

/** A signed link to a file, as a page gets it. */
async function linkOf(fleet: Fleet): Promise<string> {
  const { id } = await fleet.database.db
    .selectFrom('files')
    .select('id')
    .where('kind', '<>', 'export')
    .limit(1)
    .executeTakeFirstOrThrow()
  const answer = await call(fleet.proxy.url, 'file.link', { id }, { headers: fleet.headers })
  return new URL(answer.body.data.url, fleet.proxy.url).href
}

/** `ok`, or the code with which PostgreSQL refuses. */
async function connects(url: string): Promise<string> {
  const client = new pg.Client(url)
  try {
    await client.connect()
    return 'ok'
  } catch (error) {
    return String((error as { code?: string }).code)
  } finally {
    await client.end().catch(() => {})
  }
}
