import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { ASSET_TYPES } from '../../../contract/vocabulary.ts'
import type { Outcome } from '../../../scripts/torture/parts.ts'
import { reckon, untilSettled } from '../crash/reckoning.ts'
import { nothingPromised, type Promised, workWhile } from '../crash/work.ts'
import type { Random } from '../random.ts'
import { type Ear, listen, reckonEars } from './ear.ts'
import type { Fleet } from './fleet.ts'
import { type Answer, call, send, upload } from './send.ts'

const SETTLE_MS = 150_000
const EARS = 6
const REWARDS = 8000

/** Steady traffic through the proxy, and the promises made to its callers. */
export interface Traffic {
  promised: Promised
  ears: Ear[]
  /** The duration of each read, upload and export, in ms. */
  times: number[]
  /** Requests without a response. */
  torn(): number
  /** Stops the traffic, waits until everything has settled and checks; returns the broken promises. */
  end(): Promise<{ faults: string[]; settled: number }>
  figures(): Outcome['figures']
}

/** Acknowledged files and exports by id, and notes resent under a key until acknowledged. */
interface Kept {
  named: Set<string>
  files: Map<number, string>
  exports: Set<number>
}

/** Starts all traffic: the writers of `crash`, reads, uploads, exports, and live streams. */
export async function beginTraffic(fleet: Fleet, random: Random): Promise<Traffic> {
  const promised = nothingPromised()
  const expected: Kept = { named: new Set(), files: new Map(), exports: new Set() }
  const times: number[] = []
  const world = await fill(fleet)
  let [going, torn, again] = [true, 0, 0]
  const ears = await Promise.all(Array.from({ length: EARS }, () => listen(fleet.proxy.url, fleet.headers)))
  const place = { ...world, url: fleet.proxy.url, headers: fleet.headers, random, promised }

  /** Repeats a request at intervals; any status but 200 is a fault, a missing response is counted. */
  const repeat = async (every: number, work: () => Promise<Answer | null>) => {
    while (going) {
      const began = performance.now()
      const answer = await work().catch(() => null)
      if (!answer || answer.status === 502) torn++
      else {
        times.push(performance.now() - began)
        if (answer.status !== 200) promised.faults.push(`answered ${answer.status}: ${answer.content.toString().slice(0, 200)}`)
      }
      await pause(random.int(0, every))
    }
  }
  const { headers } = fleet
  const read = (path: string) => send(fleet.proxy.url + path, { headers })
  const work = Promise.all([
    workWhile(place, (answered) => {
      if (!answered) torn++
      return going
    }),
    repeat(40, () => read('/v3/portal/projects')),
    repeat(40, () => read(`/v3/portal/projects/${random.pick(world.projects)}/overview`)),
    repeat(80, () => read(`/v3/portal/palette/index?since=${ears[0]!.cursor()}`)),
    // Without a response it is resent under the same key and exists once.
    repeat(150, async () => {
      const note = `named ${world.projects[0]} ${expected.named.size}`
      const named = { ...headers, 'idempotency-key': `${note}`.replaceAll(' ', '-') }
      for (;;) {
        const what = { project_id: world.projects[0]!, note }
        const answer = await call(fleet.proxy.url, 'note.create', what, { headers: named }).catch(() => null)
        if (answer?.status === 200) expected.named.add(note)
        if (answer && answer.status !== 502) return answer
        again++
      }
    }),
    repeat(200, async () => {
      const content = Buffer.from(`A text of its own ${random.next()}\n`.repeat(random.int(1, 4000)))
      const answer = await upload(fleet.proxy.url, headers, 'text.txt', content, {
        project_id: String(world.projects[0]),
        asset_type: ASSET_TYPES[0],
      })
      if (answer.status === 200) expected.files.set(answer.body.data[0]!.id, sha(content))
      return answer
    }),
    repeat(1500, async () => {
      const answer = await call(
        fleet.proxy.url,
        'export.start',
        { source: 'responses', filter: { project_id: random.pick(world.projects) } },
        { headers },
      )
      if (answer.status === 200) expected.exports.add(answer.body.data.id)
      return answer
    }),
  ])

  return {
    promised,
    ears,
    times,
    torn: () => torn + again,
    async end() {
      going = false
      await work
      const began = performance.now()
      await untilSettled(fleet.database, SETTLE_MS)
      const settled = performance.now() - began
      const faults = [
        ...(await reckon(fleet.database, promised, fleet.ledger, fleet.smtp)),
        ...(await reckonEars(fleet.database, fleet.admin.id, ears)),
        ...(await reckonFiles(fleet, expected)),
        ...(await reckonNamed(fleet, expected)),
      ]
      for (const ear of ears) ear.stop()
      return { faults, settled }
    },
    figures() {
      const sent = <K>(map: Map<K, boolean>) => `${[...map.values()].filter(Boolean).length} of ${map.size} sent`
      const people = [...promised.respondents.values()].flatMap((map) => [...map.values()])
      const sorted = times.toSorted((a, b) => a - b)
      const share = (of: number) => Math.round(sorted[Math.floor(sorted.length * of)] ?? 0)
      return {
        'writes answered': promised.answers,
        'reads, uploads and exports answered': times.length,
        'of these, ms: p50 p95 p99 worst': [0.5, 0.95, 0.99]
          .map(share)
          .concat(Math.round(sorted.at(-1) ?? 0))
          .join('  '),
        'requests nobody answered': torn + again,
        'notes acknowledged': sent(promised.notes),
        'respondents acknowledged': `${people.filter(Boolean).length} of ${people.length} sent`,
        'rewards acknowledged': sent(promised.redeemed),
        'invitations acknowledged': sent(promised.invited),
        'files acknowledged, exports begun': `${expected.files.size}, ${expected.exports.size}`,
        'notes sent under a name until acknowledged': `${expected.named.size}, ${again} of them again`,
        'live streams': `${ears.length}, cut off ${ears.reduce((sum, ear) => sum + ear.came, 0)} times, ${ears.reduce((sum, ear) => sum + ear.heard.length, 0)} events heard`,
      }
    },
  }
}

const sha = (content: Buffer) => createHash('sha256').update(content).digest('hex')

/** Projects, surveys and rewards for the whole run. */
async function fill({ make, client, database }: Fleet) {
  const projects: number[] = []
  const surveys: number[] = []
  for (let nth = 0; nth < 4; nth++) {
    projects.push((await make.project({ client_id: client.id })).id)
    surveys.push((await make.survey({ project_id: projects[nth]! })).id)
  }
  const rows = Array.from({ length: REWARDS }, (_, nth) => ({
    project_id: projects[nth % 4]!,
    survey_id: surveys[nth % 4]!,
    email: `winner-${projects[0]}-${nth}@mail.test`,
    amount_cents: 500,
  }))
  await make.entries(rows)
  const entries = await database.db.selectFrom('entries').select('id').where('project_id', 'in', projects).execute()
  return { client: client.id, projects, surveys, entries: entries.map((row) => row.id) }
}

/** Checks that every acknowledged upload is complete at any server, and every export has its file or a reason. */
async function reckonFiles(fleet: Fleet, { files, exports }: Kept): Promise<string[]> {
  const { headers } = fleet
  const url = fleet.proxy.url
  const faults: string[] = []
  for (const [id, wanted] of files) {
    const link = await call(url, 'file.link', { id }, { headers })
    const file = link.status === 200 ? await send(url + link.body.data.url) : link
    if (file.status !== 200 || sha(file.content) !== wanted)
      faults.push(`file ${id} was acknowledged and is answered by ${file.status}, ${file.content.length} bytes`)
  }
  for (const id of exports) {
    const { body, status } = await call(url, 'job.get', { id }, { headers })
    if (status !== 200) faults.push(`export ${id} was acknowledged and is lost`)
    else if (body.data.status === 'done') {
      const file = await send(url + body.data.download!)
      const lines = file.content.toString().split('\n').length - 2
      if (file.status !== 200 || lines !== body.data.result.rows)
        faults.push(`export ${id} says ${body.data.result.rows} rows and has ${lines}`)
    } else if (!body.data.error) faults.push(`export ${id} is ${body.data.status} without a reason`)
  }
  return faults
}

async function reckonNamed({ database }: Fleet, { named }: Kept): Promise<string[]> {
  const rows = await database.db.selectFrom('notes').select('note').where('note', 'like', 'named %').execute()
  const found = Map.groupBy(rows, (row) => row.note)
  return [...named].flatMap((note) => {
    const times = found.get(note)?.length ?? 0
    return times === 1 ? [] : [`"${note}" was sent until it was acknowledged and is there ${times} times`]
  })
}
