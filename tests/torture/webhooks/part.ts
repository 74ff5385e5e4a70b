import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import pino from 'pino'
import type { How, Outcome } from '../../../scripts/torture/parts.ts'
import { readSettings } from '../../../server/core/settings.ts'
import { connect } from '../../../server/db/connect.ts'
import { buildApp } from '../../../server/http/app.ts'
import { closeServices, createServices } from '../../../server/services.ts'
import { signedIn } from '../../api/calling.ts'
import { makers } from '../../support/makers.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { randomOf } from '../random.ts'
import { attackReceiver } from './forgeries.ts'
import { type Good, type Hostile, openCanary, openGood, openHostile } from './receivers.ts'

const HOSTILE: readonly Hostile[] = ['redirects', 'silent', 'drips', 'endless', 'garbage', 'long headers', 'resets', 'errors']
/** Spellings of addresses inside that aren't named by WEBHOOK_INSIDE. */
const INSIDE = [
  ...[
    'https://127.0.0.2/',
    'https://2130706434/',
    'https://0x7f000002/',
    'https://017700000002/',
    'https://127.2/',
    'https://[::1]/',
  ],
  ...['https://[::ffff:127.0.0.2]/', 'https://[::ffff:7f00:2]/', 'https://[64:ff9b::7f00:2]/', 'https://[2002:7f00:2::]/'],
  ...['https://169.254.169.254/latest/meta-data/', 'https://[fd00:ec2::254]/', 'https://0.0.0.0/', 'https://10.0.0.1/'],
  ...['http://example.com@127.0.0.2/', 'file:///etc/passwd', 'gopher://127.0.0.1/', 'http://169.254.169.254/'],
]
const PROJECTS = 10
/** Messages that are replayed, and how often each forgery is sent. */
const REPLAYED = 20
const FORGED_ROUNDS = 50
/** Beyond the lease of a killed process's messages, and the pauses after lost answers. */
const SETTLE_MS = 240_000

/**
 * The part `webhooks` of `npm run torture`.
 * It kills the server `--rounds` times beside one good receiver and many bad ones.
 * Every change arrives, signed, and no secret leaves.
 */
export async function tortureWebhooks(how: How): Promise<Outcome> {
  const rounds = how.number('rounds', 20)
  const seed = how.number('seed', 0) || Math.floor(Math.random() * 1e9)
  const random = randomOf(seed)
  how.say(`seed ${seed}`)
  const env: Record<string, string> = { ...(await how.database()), DEMO: 'none', LOG_LEVEL: 'info', WEBHOOK_INSIDE: '127.0.0.1' }
  const [good, canary] = [await openGood(), await openCanary()]
  const hostile = await Promise.all(HOSTILE.map((what) => openHostile(what, canary.port)))
  const faults: string[] = []
  let log = ''
  try {
    const world = await fill(env, good, hostile)
    faults.push(...world.faults)
    let acknowledged = 0
    for (let round = 1; round <= rounds; round++) {
      const server = await startServer(env)
      const until = performance.now() + 300 + random.int(0, 1500)
      acknowledged += await work(server, world, () => performance.now() < until)
      await server.kill()
      log += server.log()
      if (round % 5 === 0) how.say(`${round} rounds, ${acknowledged} changes acknowledged, ${good.came.size} messages came`)
    }
    const server = await startServer(env)
    const began = performance.now()
    const due = await untilDelivered(env, good, world.webhook)
    const settled = performance.now() - began
    const twice = [...good.came.values()].filter(({ times }) => times > 1).length
    const replays = await attackReplays(server, env, world, good)
    faults.push(...replays.faults)
    const [own = '', mine = ''] = world.whole
    const forged = await attackReceiver({ folder: env.DATA_DIR!, own, mine }, good.samples, random, FORGED_ROUNDS)
    faults.push(...forged.faults)
    log += server.log()
    await server.stop()
    const missing = [...due].filter((event) => ![...good.came.values()].some(({ sequence }) => sequence === event))
    if (missing.length) faults.push(`${missing.length} of ${due.size} changes never came, the first event ${missing[0]}`)
    if (due.size < acknowledged) faults.push(`${acknowledged} changes were acknowledged and ${due.size} events are kept`)
    const unasked = [...good.came.values()].filter(({ sequence }) => sequence !== null && !due.has(sequence))
    if (unasked.length) faults.push(`${unasked.length} messages came of no change`)
    const ids = new Set([...good.came.values()].map(({ sequence }) => sequence))
    if (ids.size !== good.came.size) faults.push(`${good.came.size - ids.size} changes came under several ids`)
    if (good.wrong.length) faults.push(`${good.wrong.length} messages were not signed well, the first ${good.wrong[0]}`)
    if (canary.calls()) faults.push(`${canary.calls()} redirects were followed`)
    for (const secret of world.secrets) {
      if (log.includes(secret)) faults.push('a secret stands in the log')
      if ((await everyRow(env)).includes(secret)) faults.push('a secret stands in the database')
    }
    if (log.includes(world.token)) faults.push('the token in an address stands in the log')
    if (/unhandled|uncaught/i.test(log))
      faults.push(`the server said: ${/.*(?:unhandled|uncaught).*/i.exec(log)![0].slice(0, 300)}`)
    return {
      figures: {
        'changes acknowledged': acknowledged,
        'changes told of': due.size,
        'messages that came': good.came.size,
        'of these more than once': twice,
        'until all had come after the last kill': `${(settled / 1000).toFixed(1)} s`,
        'replays requested, eight at once': replays.requested,
        'of these accepted': replays.accepted,
        'forged and old messages, refused': forged.sent,
        'bad receivers': HOSTILE.length,
        'addresses inside, refused': INSIDE.length,
      },
      faults,
    }
  } finally {
    await Promise.all([good.close(), canary.close(), ...hostile.map((one) => one.close())])
  }
}

/** Makes an administrator, projects and webhooks; tries what must be refused. */
async function fill(env: Record<string, string>, good: Good, hostile: readonly { port: number }[]) {
  const services = await createServices(readSettings({ ...env, LOG_LEVEL: 'silent' }), pino({ level: 'silent' }))
  const app = await buildApp(services)
  const make = makers(services)
  const [client, admin] = [await make.client(), await make.user({ role: 'admin' })]
  const headers = await signedIn(services, admin)
  const member = await signedIn(services, await make.user({ role: 'client', clients: [client.id] }))
  const key = await app.inject({
    method: 'POST',
    url: '/v3/portal/tokens',
    headers,
    payload: { name: 'Program', scopes: ['*:write'] },
  })
  const program = { authorization: `Bearer ${(key.json() as { data: { token: string } }).data.token}` }
  const projects = await Promise.all(Array.from({ length: PROJECTS }, () => make.project({ client_id: client.id })))
  const faults: string[] = []
  const create = (name: string, url: string) =>
    app.inject({ method: 'POST', url: '/v3/portal/webhooks', headers, payload: { name, url, nouns: ['project'] } })
  for (const url of INSIDE) {
    const { statusCode } = await create('Inside', url)
    if (statusCode !== 422) faults.push(`${url} was answered by ${statusCode}, not 422`)
  }
  const secrets: string[] = []
  const token = 'address-token-4711'
  const made = async (name: string, port: number) => {
    const answer = await create(name, `http://127.0.0.1:${port}/${token}`)
    const { data } = answer.json() as { data: { id: number; signing_secret: string } }
    secrets.push(data.signing_secret)
    return data.id
  }
  const webhook = await made('Good', good.port)
  good.secrets.push(secrets[0]!)
  for (const [at, { port }] of hostile.entries()) await made(HOSTILE[at]!, port)
  await app.close()
  await closeServices(services)
  return {
    headers,
    /** Callers who may not replay the administrator's messages, with the statuses they get. */
    others: [
      { headers: {}, refused: [401] },
      { headers: member, refused: [404] },
      { headers: program, refused: [403] },
    ] as { headers: Record<string, string>; refused: number[] }[],
    webhook,
    whole: secrets,
    secrets: secrets.map((secret) => secret.slice('whsec_'.length)),
    token,
    faults,
    projects: projects.map(({ id }) => id),
  }
}

/** Changes projects until it is time; returns how many changes were acknowledged. */
async function work(
  { url }: TestServer,
  { headers, projects }: Awaited<ReturnType<typeof fill>>,
  going: () => boolean,
): Promise<number> {
  let acknowledged = 0
  await Promise.all(
    projects.slice(0, 4).map(async (id) => {
      for (let at = 0; going(); at++) {
        const answer = await fetch(`${url}/v3/portal/projects/${id}`, {
          method: 'PUT',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify({ name: `Change ${id} ${Date.now()} ${at}` }),
        }).catch(() => undefined)
        if (answer?.ok) acknowledged++
        await answer?.arrayBuffer().catch(() => undefined)
      }
    }),
  )
  return acknowledged
}

/** Replays messages eight times at once, also as callers without access: each comes under its id, freshly signed. */
async function attackReplays(
  { url }: TestServer,
  env: Record<string, string>,
  { webhook, headers, others }: Awaited<ReturnType<typeof fill>>,
  good: Good,
) {
  const faults: string[] = []
  const database = open(env)
  let [requested, accepted] = [0, 0]
  try {
    const rows = await database.db
      .selectFrom('webhook_deliveries')
      .select(['id', 'message'])
      .where('webhook_id', '=', webhook)
      .where('status', '=', 'delivered')
      .orderBy('id', 'desc')
      .limit(REPLAYED)
      .execute()
    for (const row of rows) {
      const replay = async (as: Record<string, string>) => {
        requested++
        const answer = await fetch(`${url}/v3/portal/webhook_deliveries/${row.id}/replay`, { method: 'POST', headers: as })
        await answer.arrayBuffer()
        return answer.status
      }
      const times = () => good.came.get(row.message)?.times ?? 0
      const before = times()
      for (const other of others) {
        const status = await replay(other.headers)
        if (!other.refused.includes(status)) faults.push(`a replay without access was answered by ${status}`)
      }
      if (times() !== before) faults.push('a replay without access was sent')
      const statuses = await Promise.all(Array.from({ length: 8 }, () => replay(headers)))
      const done = statuses.filter((status) => status === 200).length
      accepted += done
      if (!done) faults.push(`no replay was accepted: ${statuses}`)
      if (statuses.some((status) => status >= 500)) faults.push(`a replay was answered by ${statuses}`)
      for (const until = performance.now() + 60_000; times() === before && performance.now() < until; ) await after(50)
      if (times() === before) faults.push(`message ${row.message} was not sent again`)
    }
  } finally {
    await database.close()
  }
  return { requested, accepted, faults }
}

const open = (env: Record<string, string>) =>
  connect(env.DATABASE_URL ? { url: env.DATABASE_URL, poolSize: 2 } : { file: join(env.DATA_DIR!, 'fieldwork.db') })

/** Waits until the good receiver has all; returns the events it is due. */
async function untilDelivered(env: Record<string, string>, good: Good, webhook: number): Promise<Set<number>> {
  const database = open(env)
  try {
    const { since_event } = await database.db
      .selectFrom('webhooks')
      .select('since_event')
      .where('id', '=', webhook)
      .executeTakeFirstOrThrow()
    const rows = await database.db
      .selectFrom('events')
      .select('id')
      .where('noun', '=', 'project')
      .where('id', '>', since_event)
      .execute()
    const due = new Set(rows.map(({ id }) => id))
    for (const end = performance.now() + SETTLE_MS; performance.now() < end; await after(500)) {
      const came = new Set([...good.came.values()].map(({ sequence }) => sequence))
      if ([...due].every((id) => came.has(id))) break
    }
    return due
  } finally {
    await database.close()
  }
}

/** Every row that tells of webhooks, as text. */
async function everyRow(env: Record<string, string>): Promise<string> {
  const database = open(env)
  try {
    const rows = await Promise.all(
      (['webhooks', 'webhook_deliveries', 'history', 'attempts', 'change_sets'] as const).map((table) =>
        database.db.selectFrom(table).selectAll().execute(),
      ),
    )
    return JSON.stringify(rows)
  } finally {
    await database.close()
  }
}
