import { readFileSync } from 'node:fs'
import { type IncomingHttpHeaders, request } from 'node:http'
import { Worker } from 'node:worker_threads'
import pino from 'pino'
import { readSettings } from '../../../server/core/settings.ts'
import { closeServices, createServices } from '../../../server/services.ts'
import { signedIn } from '../../api/calling.ts'
import { makers } from '../../support/makers.ts'
import { startServer, type TestServer } from '../../support/server.ts'

/** A request meant to stall the server, as large as its reader allows, or far larger. */
export interface Attack {
  name: string
  who: 'stranger' | 'client' | 'admin'
  method?: string
  path: string
  type?: string
  headers?: Record<string, string>
  body?: Buffer
  /** The correct statuses; a connection cut off before everything was sent counts too. */
  answers: number[]
}

const KB = 1024
const MB = 1024 * KB
const FORM = 'application/x-www-form-urlencoded'
const LINES = 'application/x-ndjson'
const filled = (piece: string, bytes: number): Buffer => Buffer.alloc(bytes, piece)
/** `[1,1,…1]`: a list of about this many bytes. */
const list = (item: string, bytes: number): Buffer => {
  const times = Math.floor((bytes - 2 - item.length) / (item.length + 1))
  return Buffer.from(`[${`${item},`.repeat(times)}${item}]`)
}
/** `{"filter":[[[…]]]}` of about this many bytes. */
const nest = (name: string, bytes: number): Buffer => {
  const depth = Math.floor((bytes - name.length - 5) / 2)
  return Buffer.from(`{"${name}":${'['.repeat(depth)}${']'.repeat(depth)}}`)
}
/** `{"a0":1,"a1":1,…}` of about this many bytes. */
const wide = (bytes: number): string => {
  const pairs: string[] = []
  for (let length = 2, nth = 0; length < bytes - 20; nth++) {
    const pair = `"a${nth.toString(36)}":1`
    pairs.push(pair)
    length += pair.length + 1
  }
  return `{${pairs.join(',')}}`
}
/** A multipart form with this many fields. */
const parts = (count: number): Buffer =>
  Buffer.from(
    `${Array.from({ length: count }, (_, nth) => `--b\r\ncontent-disposition: form-data; name="f${nth}"\r\n\r\nx\r\n`).join('')}--b--\r\n`,
  )
const inside = (body: string, name: string) => Buffer.from(`{"${name}":${body}}`)

/** Public, without a limit by address. */
const SWITCH_BACK = '/v3/portal/switch_back'
const EXPORT = '/v3/portal/exports'
const intake = (survey: number) => `/v3/portal/surveys/runtime/${survey}/responses`
/** The readers' limits by caller, and what they once accepted. */
const TAKEN = { public: 16 * KB, usual: 256 * KB, batch: MB, form: 32 * KB }

/** What the attacks are aimed at: a survey for respondents, with an open question, and an activity with comments. */
export interface Target {
  survey: number
  question: number
  activity: number
}

/** TABLE  every reader at its limit and beyond, and long texts; `lines` is the size of an NDJSON batch. */
export function attacks({ survey, question, activity }: Target, lines: number): Attack[] {
  const post = { method: 'POST' }
  const json = (body: Buffer) => ({ ...post, type: 'application/json', body })
  const form = (bytes: number) => ({ ...post, type: FORM, body: filled('a&', bytes) })
  return [
    { name: 'a form of 16 KB', who: 'stranger', path: SWITCH_BACK, ...form(TAKEN.public), answers: [413] },
    { name: 'a form of 100 fields', who: 'stranger', path: SWITCH_BACK, ...form(199), answers: [409] },
    { name: 'a form of 8 MB', who: 'stranger', path: SWITCH_BACK, ...form(8 * MB), answers: [413] },
    { name: 'a form of 8 MB to nowhere', who: 'stranger', path: '/v3/portal/nowhere', ...form(8 * MB), answers: [404] },
    { name: 'a form of 8 MB to a page', who: 'stranger', path: '/nowhere', ...form(8 * MB), answers: [405] },
    { name: 'a list of 16 KB', who: 'stranger', path: SWITCH_BACK, ...json(list('{}', TAKEN.public)), answers: [422] },
    { name: 'a list of 8 MB', who: 'stranger', path: SWITCH_BACK, ...json(list('1', 8 * MB)), answers: [413] },
    { name: 'a batch of 24 MB', who: 'stranger', path: intake(survey), ...json(list('{}', 24 * MB)), answers: [401] },
    {
      name: 'NDJSON of 24 MB',
      who: 'stranger',
      path: intake(survey),
      ...post,
      type: LINES,
      body: filled('{}\n', 24 * MB),
      answers: [401],
    },
    { name: 'a form of 32 KB', who: 'client', path: EXPORT, ...form(TAKEN.form), answers: [413] },
    { name: 'a list of 256 KB', who: 'client', path: EXPORT, ...json(list('{}', TAKEN.usual)), answers: [422] },
    { name: 'a filter that is nested', who: 'client', path: EXPORT, ...json(nest('filter', TAKEN.usual)), answers: [422] },
    { name: 'a filter of 8 MB', who: 'client', path: EXPORT, ...json(nest('filter', 8 * MB)), answers: [413] },
    {
      name: 'an account with 30,000 preferences',
      who: 'client',
      method: 'PUT',
      path: '/v3/portal/account',
      type: 'application/json',
      body: inside(wide(TAKEN.usual - 40), 'preferences'),
      answers: [200, 422],
    },
    {
      name: 'shortcuts that are all wrong',
      who: 'client',
      method: 'PUT',
      path: '/v3/portal/account',
      type: 'application/json',
      body: Buffer.from(`{"preferences":{"keys":${wide(TAKEN.usual - 60)}}}`),
      answers: [422],
    },
    {
      name: 'as many wrong ids as a body may hold',
      who: 'admin',
      ...json(inside(`[${'{},'.repeat(7000)}{}]`, 'ids')),
      path: '/v3/portal/rewards/redeem',
      answers: [422],
    },
    {
      name: 'as many __proto__ as a body may hold',
      who: 'client',
      path: EXPORT,
      ...json(inside(`[${'{"__proto__":1},'.repeat(7000)}{}]`, 'filter')),
      answers: [422],
    },
    {
      name: 'ids that are all wrong',
      who: 'admin',
      ...json(inside(list('{}', TAKEN.usual - 40).toString(), 'ids')),
      path: '/v3/portal/rewards/redeem',
      answers: [422],
    },
    {
      name: 'a list with __proto__',
      who: 'client',
      path: EXPORT,
      ...json(list('{"__proto__":{"a":1}}', TAKEN.usual)),
      answers: [422],
    },
    { name: 'a batch of 1 MB', who: 'admin', path: intake(survey), ...json(list('{}', TAKEN.batch)), answers: [422] },
    {
      name: 'NDJSON',
      who: 'admin',
      path: intake(survey),
      ...post,
      type: LINES,
      body: filled('{}\n', lines),
      answers: [200, 413, 422],
    },
    {
      name: 'NDJSON in one line',
      who: 'admin',
      path: intake(survey),
      ...post,
      type: LINES,
      body: list('{}', lines),
      answers: [200, 413, 422],
    },
    {
      name: 'a form of 10,000 parts',
      who: 'client',
      path: '/v3/portal/files',
      ...post,
      type: 'multipart/form-data; boundary=b',
      body: parts(10_000),
      answers: [413, 422],
    },
    {
      name: 'a form of 10,000 parts where no file is taken',
      who: 'client',
      path: EXPORT,
      ...post,
      type: 'multipart/form-data; boundary=b',
      body: parts(10_000),
      answers: [415],
    },
    {
      name: 'a compressed bomb',
      who: 'admin',
      path: intake(survey),
      ...json(filled('\0', 256 * KB)),
      headers: { 'content-encoding': 'gzip' },
      answers: [415],
    },
    {
      name: 'as many query parameters as a request can hold',
      who: 'client',
      path: `/v3/portal/projects/all?${'a&'.repeat(7000)}`,
      answers: [200, 400, 422],
    },
    {
      name: '10,000 query parameters',
      who: 'client',
      path: `/v3/portal/projects/all?${Array.from({ length: 10_000 }, (_, nth) => `a${nth}=1`).join('&')}`,
      answers: [431],
    },
    ...[
      ['a page of long open answers', `${intake(survey).replace('responses', 'open_answers')}?question=${question}`],
      [
        'a search in long open answers',
        `${intake(survey).replace('responses', 'open_answers')}?question=${question}&search=zzzz`,
      ],
      ['a page of long comments', `/v3/portal/content?activity=${activity}&per_page=100`],
    ].map(([name, path]): Attack => ({ name: name!, who: 'client', path: path!, answers: [200] })),
  ]
}

/** Texts at whose every letter a reader might try again. */
const LONG = ['é', 'a', 'a@', '1-a', ' 0', '@a.'].map(
  (unit) => (letters: number) => unit.repeat(Math.floor(letters / unit.length)),
)

/** Has participants send 60 open answers of 10,000 characters, and 100 comments of 5,000. */
async function sendLongTexts(
  url: string,
  headers: Record<string, string>,
  { survey, question, activity }: Target,
): Promise<void> {
  const lines = async (path: string, rows: readonly object[]) => {
    const body = rows.map((row) => JSON.stringify(row)).join('\n')
    const answer = await fetch(url + path, { method: 'POST', headers: { ...headers, 'content-type': LINES }, body })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  }
  const text = (nth: number, letters: number) => `${LONG[nth % LONG.length]!(letters - 10)} ${nth}`
  await lines(
    intake(survey),
    Array.from({ length: 60 }, (_, nth) => ({
      ...{ respondent_id: `long-${nth}`, outcome: 'completes', answers: { [question]: text(nth, 10_000) } },
    })),
  )
  await lines(
    `/v3/portal/activities/${activity}/content`,
    Array.from({ length: 100 }, (_, nth) => ({ external_id: `long-${nth}`, action: 'comment', comment: text(nth, 5_000) })),
  )
}

/** A real server in its own process, with each kind of user signed in and a survey for respondents. */
export async function openVictim(env: Record<string, string>): Promise<Victim> {
  const settings = {
    ...env,
    DEMO: 'none',
    LOG_LEVEL: 'error',
  }
  const services = await createServices(readSettings(settings), pino({ level: 'silent' }))
  await services.jobs.close()
  const make = makers(services)
  const client = await make.client()
  const project = await make.project({ client_id: client.id, status: 'active' })
  const survey = await make.survey({ project_id: project.id })
  const question = await make.question({ survey_id: survey.id, name: 'Why?', answer_type: 'open', options: '[]' })
  const activity = await make.activity({ project_id: project.id, activity_type: 'social', name: 'Comments' })
  const admin = await signedIn(services, await make.user({ role: 'admin', email: 'admin@fieldwork.test' }))
  const member = await signedIn(services, await make.user({ email: 'client@fieldwork.test', clients: [client.id] }))
  await closeServices(services)
  const server = await startServer(settings)
  const target = { survey: survey.id, question: question.id, activity: activity.id }
  await sendLongTexts(server.url, admin, target)
  return { server, target, headers: { stranger: {}, client: member, admin } }
}
export interface Victim {
  server: TestServer
  target: Target
  headers: Record<Attack['who'], Record<string, string>>
}

/** The result of an assault. */
export interface Assault {
  /** The slowest /livez response meanwhile, in ms. */
  worst: number
  /** The number of requests to it, and of those without a response. */
  asked: number
  failed: number
  /** Every status; 0 for a connection cut off. */
  statuses: number[]
}

/** Sends an attack this many times at once, and polls /livez from another thread until all have responded. */
export async function assault(victim: Victim, attack: Attack, callers: number): Promise<Assault> {
  const meter = await watchLivez(victim.server.url)
  const statuses = await Promise.all(
    Array.from({ length: callers }, () => send(victim.server.url, attack, victim.headers[attack.who])),
  )
  return { ...(await meter.stop()), statuses }
}

/** Polls a server's /livez continuously from its own thread. */
export async function watchLivez(url: string): Promise<{ stop(): Promise<Omit<Assault, 'statuses'>> }> {
  const worker = new Worker(new URL('./livez.ts', import.meta.url), { workerData: { url, every: 5 } })
  const heard = <T>() =>
    new Promise<T>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
    })
  // It has responded once, so from here on the attack is measured.
  await heard()
  const report = heard<Omit<Assault, 'statuses'>>()
  return {
    async stop() {
      worker.postMessage('stop')
      return report
    },
  }
}

/** A request's status; 0 when the connection ended without a response. */
function send(url: string, attack: Attack, headers: Record<string, string>): Promise<number> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const sent: IncomingHttpHeaders = { ...headers, ...attack.headers }
    if (attack.type) sent['content-type'] = attack.type
    if (attack.body) sent['content-length'] = String(attack.body.length)
    const asked = request({ hostname, port, path: attack.path, method: attack.method ?? 'GET', headers: sent }, (answer) => {
      answer.resume()
      answer.on('end', () => {
        asked.destroy()
        resolve(answer.statusCode ?? 0)
      })
      answer.on('error', () => resolve(answer.statusCode ?? 0))
    })
    asked.on('error', () => resolve(0))
    asked.end(attack.body)
  })
}

/** A process's resident memory in MB, by the system. */
export const residentOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
