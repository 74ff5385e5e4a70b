import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pino from 'pino'
import type { How, Outcome } from '../../../scripts/torture/parts.ts'
import { readSettings } from '../../../server/core/settings.ts'
import { connect, type Database } from '../../../server/db/connect.ts'
import { closeServices, createServices } from '../../../server/services.ts'
import { signedIn } from '../../api/calling.ts'
import { makers } from '../../support/makers.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { type Random, randomOf } from '../random.ts'

const PLACES = 475
/** 6 ages by 2 genders, of 475. */
const AGES = [58, 83, 80, 74, 77, 103]
const WAIT_MS = 60_000

/**
 * The part `quotas` of `npm run torture`: senders fill a plan while servers are killed and started again.
 * On PostgreSQL there are two servers. Senders repeat what wasn't answered.
 */
export const tortureQuotas = (how: How): Promise<Outcome> => torture(how, false)
/** The part `sessions`: the same by an entry link, and each session’s outcome is sent until it is answered. */
export const tortureSessions = (how: How): Promise<Outcome> => torture(how, true)

async function torture(how: How, byLink: boolean): Promise<Outcome> {
  const seed = how.number('seed', 0) || Math.floor(Math.random() * 1e9)
  const random = randomOf(seed)
  how.say(`seed ${seed}`)
  const env: Record<string, string> = { ...(await how.database()), DEMO: 'none', LOG_LEVEL: 'fatal' }
  const { headers, project, survey, partner } = await fill(env)
  // Two servers have a folder each.
  const envs = Array.from({ length: how.engine === 'postgres' ? 2 : 1 }, (_, nth) =>
    nth ? { ...env, DATA_DIR: mkdtempSync(join(env.DATA_DIR!, `server-${nth}-`)) } : env,
  )
  const servers = await Promise.all(envs.map((own) => startServer(own)))
  const field: Field = {
    servers,
    headers,
    survey,
    random,
    left: how.number('arrivals', 20_000),
    admitted: 0,
    refused: 0,
    again: 0,
    link: null,
  }
  const faults: string[] = []
  try {
    const plan = await makePlan(field, project)
    if (byLink) field.link = await makeLink(field, project, partner)
    let filling = true
    const kills = killAgain(field, envs, how.number('kills', 20), () => filling)
    await Promise.all(Array.from({ length: how.number('senders', 64) }, () => sender(field, faults)))
    filling = false
    const killed = await kills
    const database = open(env)
    faults.push(...(await reckon(database, plan, field)))
    await database.close()
    return {
      figures: { admitted: field.admitted, refused: field.refused, 'sent again': field.again, kills: killed },
      faults: faults.slice(0, 20),
    }
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
}

interface Field {
  /** A killed one is replaced by its successor. */
  servers: TestServer[]
  headers: Record<string, string>
  survey: number
  random: Random
  left: number
  admitted: number
  refused: number
  again: number
  /** The path of an entry link, by which people come then. */
  link: string | null
}

const open = (env: Record<string, string>): Database =>
  connect(env.DATABASE_URL ? { url: env.DATABASE_URL, poolSize: 2 } : { file: join(env.DATA_DIR!, 'fieldwork.db') })

async function fill(env: Record<string, string>) {
  const services = await createServices(readSettings(env), pino({ level: 'silent' }))
  const make = makers(services)
  const client = await make.client()
  const admin = await make.user({ role: 'admin', email: 'admin@fieldwork.test' })
  const project = await make.project({ client_id: client.id, ordered: PLACES, status: 'active' })
  const survey = await make.survey({ project_id: project.id, survey_link: 'https://survey.test/run' })
  const partner = await make.partner({})
  const headers = await signedIn(services, admin)
  await closeServices(services)
  return { headers, project: project.id, survey: survey.id, partner: partner.id }
}

/** Makes an active link; returns its path. */
async function makeLink(field: Field, project: number, partner_id: number): Promise<string> {
  const body = { partner_id, name: 'Main', max_entrants_minute: 6000 }
  const made = await persist<{ data: { id: number; url: string } }>(field, `projects/${project}/entry_links`, body)
  await persist(field, `entry_links/${made.data.id}/resume`, {})
  return new URL(made.data.url).pathname
}

/** Opens the link until it is answered; returns the session’s id, or null for somebody who was refused. */
async function enter(field: Field, link: string, who: Record<string, string | number>): Promise<string | null> {
  const query = new URLSearchParams(Object.entries(who).map(([name, value]) => [name, String(value)]))
  for (const until = Date.now() + WAIT_MS; ; field.again++) {
    const { url } = field.random.pick(field.servers)
    const answer = await fetch(`${url}${link}?${query}`, { redirect: 'manual', signal: AbortSignal.timeout(20_000) }).catch(
      () => null,
    )
    if (answer?.status === 302) return new URL(answer.headers.get('location')!).searchParams.get('rid')
    if (answer?.status === 200) return null
    if (Date.now() > until) throw new Error(`${link} was not answered within a minute: ${answer?.status}`)
    // A full minute lets nobody in.
    await delay(answer?.status === 429 ? 1000 : 50)
  }
}

async function makePlan(field: Field, project: number): Promise<number> {
  const cells = AGES.map((target, at) => ({ conditions: { age: [at + 2] }, target }))
  const halves = AGES.flatMap((target, at) => [
    { conditions: { age: [at + 2], gender: ['female'] }, target: Math.ceil(target / 2) },
    { conditions: { age: [at + 2], gender: ['male'] }, target: Math.floor(target / 2) },
  ])
  const dimensions = [
    { name: 'Age', fields: ['age'], cells },
    { name: 'Age and gender', kind: 'interlock', fields: ['age', 'gender'], cells: halves },
  ]
  const made = await persist<{ data: { id: number } }>(field, `projects/${project}/quotas`, { dimensions })
  await persist(field, `quotas/${made.data.id}/live`, {})
  return made.data.id
}

/** Sends until it is answered, to whichever server lives. */
async function persist<T>(field: Field, path: string, body: object): Promise<T> {
  for (const until = Date.now() + WAIT_MS; ; field.again++) {
    const server = field.random.pick(field.servers)
    const answer = await fetch(`${server.url}/v3/portal/${path}`, {
      method: 'POST',
      headers: { ...field.headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(20_000),
    }).catch(() => null)
    const text = await answer?.text().catch(() => null)
    if (answer && typeof text === 'string') {
      if (answer.status < 300) return JSON.parse(text) as T
      if (answer.status < 500 && answer.status !== 429) throw new Error(`${path}: ${answer.status} ${text.slice(0, 300)}`)
    }
    if (Date.now() > until) throw new Error(`${path} was not answered within a minute: ${answer?.status} ${text?.slice(0, 300)}`)
    await delay(50)
  }
}

/** Arrives as one person after the other; who is admitted completes, or leaves now and then. */
async function sender(field: Field, faults: string[]): Promise<void> {
  while (field.left > 0) {
    const nth = field.left--
    const who = { age: 2 + field.random.int(0, 5), gender: field.random.pick(['female', 'male']) }
    const pid = `p${nth}`
    try {
      if (field.link) {
        const rid = await enter(field, field.link, { pid, ...who })
        if (rid === null) {
          field.refused++
          continue
        }
        field.admitted++
        const outcome = field.random.chance(0.2) ? 'terminate' : 'complete'
        await persist(field, `sessions/${rid}/outcome`, { outcome })
        continue
      }
      const {
        data: [admission],
      } = await persist<{ data: [{ admit: boolean; rid: string }] }>(field, `surveys/runtime/${field.survey}/admit`, {
        pid,
        profile: who,
      })
      if (!admission.admit) {
        field.refused++
        continue
      }
      field.admitted++
      const outcome = field.random.chance(0.2) ? 'terminates' : 'completes'
      const rows = [{ ...who, respondent_id: pid, rid: admission.rid, outcome }]
      await persist(field, `surveys/runtime/${field.survey}/responses`, { rows })
    } catch (error) {
      faults.push((error as Error).message)
    }
  }
}

/** Kills servers in turn, and starts each again. */
async function killAgain(
  field: Field,
  envs: readonly Record<string, string>[],
  kills: number,
  going: () => boolean,
): Promise<number> {
  let killed = 0
  while (killed < kills && going()) {
    await delay(300 + field.random.int(0, 1500))
    const at = killed % field.servers.length
    await field.servers[at]!.kill()
    killed++
    field.servers[at] = await startServer(envs[at]!)
  }
  return killed
}

/** Recounts everything from the holds. */
async function reckon({ db }: Database, plan_id: number, { survey, link }: Field): Promise<string[]> {
  const faults: string[] = []
  const cells = await db.selectFrom('quota_cells').selectAll().where('plan_id', '=', plan_id).execute()
  const holds = await db.selectFrom('quota_holds').selectAll().where('plan_id', '=', plan_id).execute()
  const counts = new Map(cells.map(({ id }) => [id, { held: 0, completes: 0 }]))
  for (const { cells: ids, state } of holds)
    if (state === 'held' || state === 'used')
      for (const id of JSON.parse(ids) as number[]) counts.get(id)![state === 'held' ? 'held' : 'completes']++
  for (const { id, name, held, completes, ceiling } of cells) {
    const count = counts.get(id)!
    if (held + completes > ceiling) faults.push(`${name} has ${held + completes} of ${ceiling}`)
    if (held !== count.held || completes !== count.completes)
      faults.push(`${name} counts ${completes} and ${held} held, its holds are ${count.completes} and ${count.held}`)
  }
  const total = cells.find(({ dimension_id }) => dimension_id === null)!
  if (total.completes !== PLACES) faults.push(`${total.completes} completes of ${PLACES}`)
  const beyond = holds.filter(({ state }) => state === 'beyond').length
  if (beyond) faults.push(`${beyond} admitted people were turned away`)
  const people = new Set<string>()
  for (const { pid, state } of holds) {
    if (state !== 'held' && state !== 'used') continue
    if (people.has(pid)) faults.push(`${pid} has two holds`)
    people.add(pid)
  }
  const { count } = await db
    .selectFrom('respondents')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('survey_id', '=', survey)
    .where('outcome', '=', 'completes')
    .executeTakeFirstOrThrow()
  if (Number(count) !== PLACES) faults.push(`${count} completes are stored, not ${PLACES}`)
  if (link) faults.push(...(await reckonSessions(db, survey)))
  return faults
}

/** Compares the sessions of a survey with its respondents: one for each person, and the same completes. */
async function reckonSessions(db: Database['db'], survey: number): Promise<string[]> {
  const sessions = await db.selectFrom('field_sessions').select(['pid', 'rid', 'state']).where('survey_id', '=', survey).execute()
  const pids = new Set(sessions.map(({ pid }) => pid))
  const faults = pids.size === sessions.length ? [] : [`${sessions.length} sessions of ${pids.size} people`]
  const respondents = await db.selectFrom('respondents').select(['rid', 'outcome']).where('survey_id', '=', survey).execute()
  const stored = new Set(respondents.flatMap(({ rid, outcome }) => (outcome === 'completes' ? [rid] : [])))
  const ended = sessions.filter(({ state }) => state === 'complete')
  const without = ended.filter(({ rid }) => !stored.has(rid))
  if (without.length || ended.length !== stored.size)
    faults.push(`${ended.length} sessions are complete, ${stored.size} respondents, ${without.length} without one`)
  return faults
}
