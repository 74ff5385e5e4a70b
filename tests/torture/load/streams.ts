import { Agent, type ClientRequest, get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import pino from 'pino'
import { readSettings } from '../../../server/core/settings.ts'
import { closeServices, createServices } from '../../../server/services.ts'
import { requestOf, signedIn } from '../../api/calling.ts'
import { makers } from '../../support/makers.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { watchLivez } from '../input/freeze.ts'

/** Sessions per user. */
const SESSIONS = 2
/** Projects per client: its users' scope is recomputed whenever it may have changed. */
const PROJECTS = 200

interface Who {
  id: number
  client: boolean
  headers: Record<string, string>[]
}
/** A real server in its own process, with users of several clients, each signed in twice. */
export interface Listened {
  server: TestServer
  admins: Who[]
  clients: Who[]
  /** A project every client user sees, and their client. */
  project: number
  client: number
}

/** Starts a server with this many administrators and client users, the first half of these from one client. */
export async function openListened(env: Record<string, string>, admins: number, clients: number): Promise<Listened> {
  const settings = { ...env, DEMO: 'none', LOG_LEVEL: 'error' }
  const services = await createServices(readSettings(settings), pino({ level: 'silent' }))
  await services.jobs.close()
  const make = makers(services)
  const ours = [await make.client(), await make.client()]
  const projects: number[] = []
  for (const client of ours)
    for (let nth = 0; nth < PROJECTS; nth++) projects.push((await make.project({ client_id: client.id, status: 'active' })).id)
  const person = async (more: object, client: boolean): Promise<Who> => {
    const user = await make.user(more)
    const headers: Who['headers'] = []
    for (let nth = 0; nth < SESSIONS; nth++) headers.push(await signedIn(services, user))
    return { id: user.id, client, headers }
  }
  const people = { admins: [] as Who[], clients: [] as Who[] }
  for (let nth = 0; nth < admins; nth++) people.admins.push(await person({ role: 'admin' }, false))
  for (let nth = 0; nth < clients; nth++)
    people.clients.push(await person({ clients: [ours[nth < clients / 2 ? 0 : 1]!.id] }, true))
  await closeServices(services)
  return { server: await startServer(settings), ...people, project: projects[0]!, client: ours[0]!.id }
}

/** An open live stream, and its messages. */
interface Stream {
  who: Who
  text: string
  asked: ClientRequest
}

/** Opens this many live streams of a session; returns when each has said hello. */
async function listen(url: string, who: Who, headers: Record<string, string>, many: number, agent: Agent): Promise<Stream[]> {
  return Promise.all(
    Array.from(
      { length: many },
      () =>
        new Promise<Stream>((resolve, reject) => {
          const stream: Stream = { who, text: '', asked: null as never }
          stream.asked = get(`${url}/v3/portal/live`, { headers, agent }, (answer) => {
            answer.setEncoding('utf8').on('data', (text: string) => {
              stream.text += text
              if (stream.text.includes('event: hello')) resolve(stream)
            })
            answer.on('error', () => undefined)
          })
          stream.asked.on('error', reject)
        }),
    ),
  )
}

/** The result of edits while streams were open. */
export interface Heard {
  streams: number
  /** The slowest /livez response meanwhile in ms, and the number of missing ones. */
  worst: number
  failed: number
  /** From the first edit until the last stream got the last event, in ms. */
  ms: number
  /** Streams that missed events, or got ones not meant for them. */
  wrong: string[]
}

type Edit = [call: Parameters<typeof requestOf>[0], input: Record<string, unknown>, who: Who, heard: (text: string) => boolean]

/** Opens `each` streams per session, makes five relevant edits, and polls /livez from another thread meanwhile. */
export async function fiveEdits({ server, admins, clients, project, client }: Listened, each: number): Promise<Heard> {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
  const streams: Stream[] = []
  for (const who of [...admins, ...clients])
    for (const headers of who.headers) streams.push(...(await listen(server.url, who, headers, each, agent)))
  const [admin, member] = [admins[0]!, clients[0]!]
  const says = (noun: string, id: number) => (text: string) => text.includes(`"noun":"${noun}","subject_id":${id},`)
  const stamp = Date.now()
  const edits: Edit[] = [
    ['project.edit', { id: project, name: `Edited ${stamp}` }, admin, says('project', project)],
    // These may change their users' scope, which is then recomputed.
    ['client.edit', { id: client, name: `Client ${stamp}` }, admin, says('client', client)],
    ['account.edit', { company: `Company ${stamp}` }, member, says('account', member.id)],
    ['account.edit', { company: `Company ${stamp}` }, admin, says('account', admin.id)],
    ['project.edit', { id: project, name: `Edited again ${stamp}` }, admin, says('project', project)],
  ]
  const meter = await watchLivez(server.url)
  const began = performance.now()
  const heardBefore = streams.map(({ text }) => text.length)
  for (const [call, input, who] of edits) {
    const { method, url, body } = requestOf(call, input)
    const answer = await fetch(server.url + url, {
      method,
      headers: { ...who.headers[0], 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (answer.status !== 200) throw new Error(`${call}: ${answer.status} ${await answer.text()}`)
    await answer.arrayBuffer()
  }
  const newIn = (at: number) => streams[at]!.text.slice(heardBefore[at]!)
  const twice = (text: string) =>
    text.split(`"noun":"project","subject_id":${project},"project_id":${project},"kind":"put"`).length > 2
  const ofOne = (who: Who) => !who.client || clients.indexOf(who) < clients.length / 2
  const done = () => streams.every(({ who }, at) => !ofOne(who) || twice(newIn(at)))
  for (const end = Date.now() + 30_000; Date.now() < end && !done(); ) await delay(20)
  const ms = Math.round(performance.now() - began)
  const { worst, failed } = await meter.stop()
  const wrong = streams.flatMap(({ who }, at) => {
    const text = newIn(at)
    const faults = []
    if (ofOne(who) && !twice(text)) faults.push('has not heard both edits of the project')
    if (!ofOne(who) && says('project', project)(text)) faults.push('heard of a project of another client')
    for (const one of [admin, member])
      if ((who === one) !== says('account', one.id)(text))
        faults.push(`account ${one.id}: ${who === one ? 'not heard' : 'heard'}`)
    return faults.map((fault) => `a stream of ${who.client ? 'client user' : 'administrator'} ${who.id} ${fault}`)
  })
  for (const { asked } of streams) asked.destroy()
  agent.destroy()
  return { streams: streams.length, worst, failed, ms, wrong }
}
