import { setTimeout as delay } from 'node:timers/promises'
import type { How, Outcome } from '../../../scripts/torture/parts.ts'
import { readSettings } from '../../../server/core/settings.ts'
import { connect, transact } from '../../../server/db/connect.ts'
import { formOf } from '../../api/uploading.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { residentOf, watchLivez } from '../input/freeze.ts'
import { makeCgroup } from './cgroup.ts'
import { HOSTILE_FILES, type HostileFile } from './hostile.ts'
import { openPlace, type Place } from './place.ts'

const STANDS_STILL_MS = 200
/** A real freeze recurs every round; a delay by other work on the machine doesn't. */
const ROUNDS = 6
/** The longest a file may take to be read or given up, twice. */
const WITHIN_MS = 90_000

/** The part `files` of `npm run torture`: hostile files one by one and all at once in little memory, then kill -9. */
export async function tortureFiles(how: How): Promise<Outcome> {
  const figures: Outcome['figures'] = {}
  const faults: string[] = []
  const megabytes = how.number('memory', 1024)
  const group = makeCgroup(megabytes * 1_048_576)
  if (typeof group === 'string') figures['without a limit of memory'] = group
  const env = await how.database()
  const place = await openPlace(env)
  const start = () => startServer(place.settings)
  const startWithin = () => (typeof group === 'string' ? start() : group.within(start))
  let server = await startWithin()
  const contents = new Map<string, Buffer>()
  for (const { name, content } of HOSTILE_FILES) contents.set(name, await content())
  try {
    const sendOne = (file: HostileFile) => sendFile(place, server, file, contents.get(file.name)!, faults)
    for (const file of HOSTILE_FILES) {
      const began = performance.now()
      const rounds: number[] = []
      do {
        const meter = await watchLivez(server.url)
        await sendOne(file)
        const { worst, failed } = await meter.stop()
        rounds.push(worst)
        if (failed) faults.push(`${file.name}: ${failed} /livez were not answered`)
      } while (rounds.at(-1)! >= STANDS_STILL_MS && rounds.length < ROUNDS)
      if (rounds.at(-1)! >= STANDS_STILL_MS) faults.push(`${file.name}: /livez took ${rounds.join(', ')} ms`)
      const seconds = ((performance.now() - began) / 1000 / rounds.length).toFixed(1)
      figures[file.name] =
        `${seconds} s, worst /livez ${rounds.join(' then ')} ms, resident ${Math.round(residentOf(server.pid))} MB`
    }
    await Promise.all([...HOSTILE_FILES, ...HOSTILE_FILES].map(sendOne))
    figures['all of them twice at once, resident (MB)'] = Math.round(residentOf(server.pid))
    await otherWork(place, server, faults)
    if (!isRunning(server)) faults.push('the server was ended')
    if (typeof group !== 'string') figures['readers that the system ended'] = group.killed()
    server = await killLoop({ place, server, restart: startWithin }, figures, faults)
    await otherWork(place, server, faults)
  } finally {
    await server.stop()
  }
  return { figures, faults }
}

const isRunning = ({ pid }: TestServer): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Sends a file as a client user, and waits until it is read or given up; an administrator reads tables. */
async function sendFile(place: Place, server: TestServer, { name, as }: HostileFile, content: Buffer, faults: string[]) {
  const id = await upload(place, server, name, content)
  if (typeof id === 'string') return void faults.push(`${name}: ${id}`)
  if (as === 'table') {
    const answer = await fetch(`${server.url}/v3/portal/locations/process`, {
      method: 'POST',
      headers: { ...place.admin, 'content-type': 'application/json' },
      body: JSON.stringify({ file_id: id, client_id: place.client_id, hold: true, again: true, name: `${name} ${id}` }),
    })
    if (![200, 422, 503].includes(answer.status)) faults.push(`${name}: read as a table, ${answer.status} ${await answer.text()}`)
    return
  }
  for (const until = Date.now() + WITHIN_MS; ; await delay(100)) {
    const answer = await fetch(`${server.url}/v3/portal/files/${id}`, { headers: place.admin }).catch(() => null)
    const found =
      answer?.status === 200 ? ((await answer.json()) as { data: { thumb_state: string; thumb_fault: string } }).data : null
    if (found && found.thumb_state !== 'queued') {
      if (found.thumb_state !== as)
        faults.push(`${name}: its preview is ${found.thumb_state} (${found.thumb_fault}) instead of ${as}`)
      if (found.thumb_state === 'failed' && !found.thumb_fault) faults.push(`${name}: no reason is given`)
      return
    }
    if (Date.now() > until) return void faults.push(`${name}: it wasn't read or given up in ${WITHIN_MS / 1000} s`)
  }
}

async function upload(place: Place, server: TestServer, name: string, content: Buffer): Promise<number | string> {
  const { body, type } = await formOf([[name, content]])
  const answer = await fetch(`${server.url}/v3/portal/documents`, {
    method: 'POST',
    headers: { ...place.member, 'content-type': type },
    body: new Uint8Array(body),
  })
  if (answer.status !== 200) return `uploading answered ${answer.status} ${(await answer.text()).slice(0, 200)}`
  return ((await answer.json()) as { data: { id: number }[] }).data[0]!.id
}

/** A usual picture still gets its preview. */
async function otherWork(place: Place, server: TestServer, faults: string[]): Promise<void> {
  const usual = HOSTILE_FILES.find(({ as }) => as === 'done')!
  await sendFile(place, server, { ...usual, name: 'usual.png' }, await usual.content(), faults)
}

interface Killing {
  place: Place
  server: TestServer
  restart(): Promise<TestServer>
}

/** Kills the server whenever it has begun with a picture: after two tries it starts, and has given the picture up. */
async function killLoop({ place, server, restart }: Killing, figures: Outcome['figures'], faults: string[]): Promise<TestServer> {
  const slow = HOSTILE_FILES.find(({ name }) => name.startsWith('16 bits'))!
  const id = await upload(place, server, 'killer.png', await slow.content())
  if (typeof id === 'string') {
    faults.push(id)
    return server
  }
  const { directUrl, dataDir } = readSettings(place.settings)
  const database = connect(directUrl ? { url: directUrl, poolSize: 1 } : { file: `${dataDir}/fieldwork.db` })
  let running = server
  let kills = 0
  try {
    for (let begun = 0; kills < 6; ) {
      const row = await database.db
        .selectFrom('files')
        .select(['thumb_state', 'thumb_tries', 'thumb_fault'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      if (row.thumb_state !== 'queued') {
        figures['a picture that ended the server'] = `begun ${row.thumb_tries} times, then ${row.thumb_state}: ${row.thumb_fault}`
        if (kills === 2 && (row.thumb_state !== 'failed' || row.thumb_tries > 2))
          faults.push(`killed twice, and the picture is ${row.thumb_state}`)
        return running
      }
      if (row.thumb_tries > begun) {
        begun = row.thumb_tries
        await running.kill()
        kills++
        // Only this job: what a killed process held is released after half a minute.
        await transact(database, (tx) =>
          tx.updateTable('jobs').set({ beat_at: '2020-01-01T00:00:00.000Z' }).where('status', '=', 'running').execute(),
        )
        running = await restart()
      }
      await delay(20)
    }
    faults.push(`the picture was begun again after ${kills} kills`)
    return running
  } finally {
    figures['kills of the server'] = kills
    await database.close()
  }
}
