import { createHash } from 'node:crypto'
import type { Insertable } from 'kysely'
import { dollars } from '../../contract/format.ts'
import { REWARD_LIST } from '../../contract/importWords.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { addDays } from '../../contract/pacing.ts'
import { labelOf, PROVIDERS } from '../../contract/vocabulary.ts'
import type { EntryTable, ImportRowTable } from '../db/schema.ts'
import { entriesOf, type UploadPlan } from './entries.ts'
import type { Market } from './market.ts'
import type { Rows } from './noun.ts'
import type { ProjectPlan } from './plan.ts'
import { type Random, randomOf } from './random.ts'
import { rowOf } from './rowDefaults.ts'

/** The number of uploads of reward receivers, and how many of them have errors. */
const UPLOADS = 8
const WITH_ERRORS = 3
/** The most receivers in an upload. */
const MOST = 40
/** Ids beyond those of location files. */
const FILES_FROM = 8_000_101
const HEADINGS = ['Email', 'Amount', 'Reward', 'IP address']
const FIELDS = ['email', 'amount', 'reward', 'ip']
const BAD = [
  [['maya.at.example.com', '5', '', ''], 'Email', 'maya.at.example.com', MESSAGES.inviteEmail],
  [['noor.diaz@example.com', '', '', ''], 'Amount', '', MESSAGES.rewardAmount],
  [['leo.stone@example.com', '', '$7 card', ''], 'Reward', '$7 card', '“$7 card” is not a reward of this project'],
] as const

const planned = new WeakMap<object, ReadonlyMap<number, UploadPlan & { nth: number; admin: number }>>()
/** The uploads of a market by project: the newest entries of eight projects, of all ages. */
export function uploadsOf(market: Market): ReadonlyMap<number, UploadPlan & { nth: number; admin: number }> {
  let all = planned.get(market)
  if (!all) {
    const { plans, calendar, people, amounts, seed } = market
    const able = plans.filter(({ entries, start }) => entries >= 6 && start < calendar.today)
    const step = Math.max(1, Math.floor(able.length / UPLOADS))
    const chosen = able.filter((_, at) => at % step === 0).slice(0, UPLOADS)
    all = new Map(
      chosen.map((plan, nth) => {
        const random = randomOf(seed, 'upload', plan.id)
        const last = [plan.end, addDays(calendar.today, -1)].sort()[0]!
        const at = calendar.office(random, [last, plan.start].sort()[1]!)
        const size = Math.min(MOST, Math.floor(plan.entries / 3))
        return [plan.id, { id: amounts.first.locationFile + 50 + nth, size, at, nth, admin: random.pick(people.admins) }]
      }),
    )
    planned.set(market, all)
  }
  return all
}

/** The rows and the file of a project's upload; nothing for a project without one. */
export function uploadRows(
  random: Random,
  market: Market,
  plan: ProjectPlan,
): Rows<'imports' | 'import_rows' | 'files'> & { contents?: { key: string; content: Buffer; mime: string }[] } {
  const upload = uploadsOf(market).get(plan.id)
  if (!upload) return {}
  const { id, nth, at, admin } = upload
  const { entries } = entriesOf(randomOf(market.seed, 'entries', plan.id), market, plan, upload)
  const own = entries.filter(({ import_id }) => import_id === id)
  const bad = nth < WITH_ERRORS ? BAD.slice(0, 3 - nth) : []
  const good = own.map(({ email, amount_cents, ip }) => [email, String(amount_cents / 100), '', ip ?? ''])
  const text = [HEADINGS, ...good, ...bad.map(([cells]) => [...cells])].map((cells) => cells.join(',')).join('\r\n')
  const name = `${random.pick(['Bonus', 'Panel', 'Late answers', 'Recontact'])} ${nth + 1}`
  const storage_key = `uploads/demo/reward-list-${nth + 1}.csv`
  const mime = 'text/csv; charset=utf-8'
  const file_id = FILES_FROM + nth
  return {
    contents: [{ key: storage_key, content: Buffer.from(text), mime }],
    files: [
      rowOf('files', at, {
        ...{ id: file_id, kind: 'location' as const, asset_type: REWARD_LIST, uploaded_by: admin },
        ...{ original_name: `${name}.csv`, storage_key, mime, size: Buffer.byteLength(text) },
      }),
    ],
    imports: [
      {
        ...{ id, kind: 'reward' as const, name, file_id, project_id: plan.id, activity_id: null, job_id: null },
        file_hash: createHash('sha256').update(text).digest('hex'),
        ...{ client_id: market.people.clients[plan.client]!.id!, group_id: null, makes_group: 0 },
        mapping: JSON.stringify({ sheet: '', delimiter: ',', headed: true, headings: HEADINGS, columns: FIELDS }),
        ...{ rows: good.length + bad.length, created: good.length, reused: 0, repeated: 0, failed: bad.length },
        ...{ done_line: good.length + bad.length + 1, status: 'done' as const, error: '', errors_file_id: null },
        ...{ created_by: admin, ended_at: at, created_at: at, updated_at: at, lock_version: 1 },
      },
    ],
    import_rows: [
      ...flagged(entries, own, id),
      ...bad.map(([cells, column, value, message], row) => ({
        ...{ import_id: id, line: good.length + 2 + row, kind: 'error' as const, column, value, message },
        ...{ place_id: null, entry_id: null, raw: JSON.stringify(cells) },
      })),
    ],
  }
}

type Entry = Insertable<EntryTable>

/** Notes on an upload's lines whose address repeats or whose amount can't be paid. */
function flagged(all: readonly Entry[], own: readonly Entry[], import_id: number): Insertable<ImportRowTable>[] {
  const lineOf = new Map(own.map((entry, at) => [entry, at + 2]))
  const before = all.filter(({ status }) => status !== 'rejected')
  const note = (entry: Entry, column: string, value: string, message: string) => ({
    ...{ import_id, line: lineOf.get(entry)!, kind: 'repeat' as const, column, value, message },
    ...{ place_id: null, entry_id: entry.id!, raw: '' },
  })
  const repeat = (entry: Entry, field: 'email' | 'ip', column: string) => {
    const same = before.find((other) => other.id! < entry.id! && other[field] === entry[field])
    if (!same) return []
    const line = lineOf.get(same)
    return [note(entry, column, entry[field]!, line ? `same as line ${line}` : 'already in this project')]
  }
  return own.flatMap((entry) => {
    const pays = PROVIDERS.find(({ value }) => value === entry.provider_id)?.allowed ?? []
    const name = labelOf(PROVIDERS, entry.provider_id, '')
    const message = `${name} pays ${pays.map((cents) => cents / 100).join(', ')}: this amount can't be paid`
    const odd = pays.length > 0 && !(pays as readonly number[]).includes(entry.amount_cents)
    return [
      ...repeat(entry, 'email', 'Email'),
      ...repeat(entry, 'ip', 'IP address'),
      ...(odd ? [note(entry, 'Amount', dollars(entry.amount_cents), message)] : []),
    ]
  })
}
