import { amountList } from '../../contract/decimals.ts'
import type { FieldCode } from '../../contract/errorCodes.ts'
import { fieldCode } from '../../contract/fieldCodes.ts'
import { emailKey, readField, sentenceOf } from '../../contract/fieldKinds.ts'
import { nameKey } from '../../contract/foldText.ts'
import { dollars, showTime } from '../../contract/format.ts'
import { rewardColumns } from '../../contract/importFields.ts'
import { readIpAddress } from '../../contract/ipAddress.ts'
import { isEmail } from '../../contract/messages.ts'
import { plainOfComma } from '../../contract/money.ts'
import { UPLOAD_ROWS } from '../../contract/rewardImport.ts'
import { labelOf, PROVIDERS } from '../../contract/vocabulary.ts'
import type { Ctx } from '../core/context.ts'
import { HttpError } from '../core/errors.ts'
import { onlyColumns } from '../core/onlyColumns.ts'
import type { Db } from '../db/connect.ts'
import { lockMarks } from '../db/entryMarks.ts'
import { amountFlag } from '../domain/entry/entryRows.ts'
import { allowedAmounts } from '../domain/payout/provider.ts'
import type { Field } from './fileColumns.ts'
import { type ImportRecord, sameFile, uploaderOf } from './importFile.ts'
import type { CheckedLine, ImportKind, Line, Problem } from './importJob.ts'

/** A parsed line of a reward file. */
interface Row {
  email: string
  email_key: string
  ip: string
  amount_cents: number
  provider_id: number
  reward_id: number | null
  note: string
  /** The lines of this file with the same email and the same address. */
  same: { email: number | null; ip: number | null }
}
type StartedBy = Pick<ImportRecord, 'id' | 'name' | 'lock_version'>
interface Offered {
  id: number
  name: string
  amount_cents: number
  provider_id: number
  provider_code: string
}
interface State {
  project_id: number
  import_id: number
  provider_id: number
  rewards: readonly Offered[]
  /** The first line of each email and address. */
  emails: Map<string, number>
  ips: Map<string, number>
}

/** Entries in one statement: both engines take 30,000 values. */
const ROWS = 1000
const isAmount = (cell: string) => /^\$?\d{1,6}([.,]\d{1,2})?$/.test(cell)

/** How a reward file's columns are recognized. */
const FIELDS: readonly Field[] = [
  {
    id: 'email',
    headings: ['email', 'e mail', 'email address', 'e mail address', 'recipient email'],
    doubtful: ['mail', 'recipient'],
    fits: (cell) => cell.includes('@'),
    holds: isEmail,
    least: 0.6,
  },
  {
    id: 'ip',
    headings: ['ip', 'ip address', 'ipaddress'],
    doubtful: ['address'],
    holds: (cell) => readIpAddress(cell) !== null,
  },
  {
    id: 'reward',
    headings: ['reward', 'reward name', 'reward id', 'reward code'],
    doubtful: ['card', 'product', 'code', 'provider code'],
  },
  {
    id: 'provider',
    headings: ['provider', 'provider name'],
    doubtful: ['partner', 'partner id', 'vendor'],
    fits: (cell) => providerBy(cell) !== undefined,
  },
  { id: 'note', headings: ['note', 'notes', 'reason', 'comment', 'comments', 'memo'] },
  {
    id: 'amount',
    headings: ['amount', 'reward amount', 'amount usd'],
    doubtful: ['value', 'dollars', 'usd', 'payout'],
    fits: (cell) => /\d/.test(cell) && !/\p{L}/u.test(cell),
    holds: isAmount,
    least: 0.9,
    ofComma: plainOfComma,
  },
]

/** A project's reward by its name, code or id. */
const rewardBy = ({ rewards }: Pick<State, 'rewards'>, text: string): Offered | undefined => {
  const key = nameKey(text)
  return rewards.find(
    ({ id, name, provider_code }) => nameKey(name) === key || nameKey(provider_code) === key || String(id) === key,
  )
}
/** A provider by name or id. */
const providerBy = (text: string) =>
  PROVIDERS.find(({ value, label }) => label.toLowerCase() === text.toLowerCase() || String(value) === text)?.value

const offeredIn = (db: Db, project_id: number): Promise<Offered[]> =>
  db
    .selectFrom('rewards')
    .select(['id', 'name', 'amount_cents', 'provider_id', 'provider_code'])
    .where('project_id', '=', project_id)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()

/** The fields of a file of this project, whose codes are known by its rewards. */
export async function rewardFields(db: Db, project_id: number): Promise<readonly Field[]> {
  const rewards = await offeredIn(db, project_id)
  return FIELDS.map((field) =>
    field.id === 'reward' ? { ...field, fits: (cell: string) => rewardBy({ rewards }, cell) !== undefined } : field,
  )
}

function read(values: Record<string, string>, line: number, state: State): Row | Problem[] {
  const { email = '', amount = '', reward = '', provider = '', note = '' } = values
  const ip = values.ip ? readIpAddress(values.ip) : ''
  const problems: Problem[] = []
  const wrong = (field: string, value: string, code: FieldCode, message: string) =>
    problems.push({ field, value: value.slice(0, 100), code, message })
  const address = readField(rewardColumns.email, email)
  if ('fault' in address) wrong('email', email, fieldCode(rewardColumns.email, email), address.fault)
  const email_key = emailKey(email)
  const offered = reward ? rewardBy(state, reward) : undefined
  if (reward && !offered) wrong('reward', reward, 'choice', `“${reward.slice(0, 60)}” is not a reward of this project`)
  // A reward that is named has an amount.
  const typed = amount || !reward ? readField(rewardColumns.amount, amount) : { value: offered?.amount_cents ?? null }
  const cents = 'value' in typed ? (typed.value as number | null) : null
  if ('fault' in typed)
    wrong('amount', amount, fieldCode(rewardColumns.amount, amount), sentenceOf(rewardColumns.amount.label, typed.fault))
  const named = provider ? providerBy(provider) : undefined
  if (provider && named === undefined)
    wrong('provider', provider, 'choice', `“${provider.slice(0, 60)}” is not a reward provider`)
  if (ip === null) wrong('ip', values.ip!, 'format', `“${values.ip!.slice(0, 60)}” is not an IP address`)
  const noted = readField(rewardColumns.note, note)
  if ('fault' in noted)
    wrong('note', note, fieldCode(rewardColumns.note, note), sentenceOf(rewardColumns.note.label, noted.fault))
  if (problems.length || cents === null || email_key === null || ip === null) return problems
  const provider_id = named ?? offered?.provider_id ?? state.provider_id
  // Without a named reward, the project's reward of exactly this amount is used.
  const alike = state.rewards.filter((one) => one.amount_cents === cents && one.provider_id === provider_id)
  const same = { email: state.emails.get(email_key) ?? null, ip: ip ? (state.ips.get(ip) ?? null) : null }
  if (same.email === null) state.emails.set(email_key, line)
  if (ip && same.ip === null) state.ips.set(ip, line)
  const reward_id = offered?.id ?? (alike.length === 1 ? alike[0]!.id : null)
  return { email, email_key, ip, amount_cents: cents, provider_id, reward_id, note, same }
}

/** Values that the project's other entries already have. */
async function there(db: Db, { project_id, import_id }: State, column: 'email_key' | 'ip', values: readonly string[]) {
  if (!values.length) return new Set<string>()
  const rows = await db
    .selectFrom('entries')
    .select(column)
    .distinct()
    .where('project_id', '=', project_id)
    .where(column, 'in', [...new Set(values)])
    .where('status', '!=', 'rejected')
    .where((eb) => eb.or([eb('import_id', 'is', null), eb('import_id', '!=', import_id)]))
    .execute()
  return new Set(rows.map((row) => (row as Record<string, string>)[column]!))
}

const IN_PROJECT = 'already in this project'

async function check(db: Db, lines: readonly Line<Row>[], state: State): Promise<CheckedLine<Row>[]> {
  const emails = await there(
    db,
    state,
    'email_key',
    lines.map(({ row }) => row.email_key),
  )
  const ips = await there(
    db,
    state,
    'ip',
    lines.flatMap(({ row }) => row.ip || []),
  )
  return lines.map(({ line, row }) => {
    const notes: CheckedLine<Row>['notes'] = []
    const repeat = (field: 'email' | 'ip', value: string, same: number | null, known: boolean) => {
      if (same !== null) notes.push({ kind: 'repeat', field, value, message: `same as line ${same}` })
      else if (known) notes.push({ kind: 'repeat', field, value, message: IN_PROJECT })
    }
    repeat('email', row.email, row.same.email, emails.has(row.email_key))
    repeat('ip', row.ip, row.same.ip, ips.has(row.ip))
    if (amountFlag(row.provider_id, row.amount_cents)) {
      const pays = amountList(allowedAmounts(row.provider_id))
      const message = `${labelOf(PROVIDERS, row.provider_id, '')} pays ${pays}: this amount can't be paid`
      notes.push({ kind: 'repeat', field: 'amount', value: dollars(row.amount_cents), message })
    }
    return { line, row, is: 'new', notes }
  })
}

async function write(
  ctx: Ctx,
  imported: ImportRecord,
  checked: readonly CheckedLine<Row>[],
): Promise<ReadonlyMap<number, number>> {
  const { id: import_id, project_id } = imported
  const records = new Map<number, number>()
  for (let at = 0; at < checked.length; at += ROWS) {
    const some = checked.slice(at, at + ROWS)
    const ids = await ctx.tx
      .insertInto('entries')
      .values(
        some.map(({ row: { same: _, note, ...row } }) =>
          onlyColumns('entries', {
            ...row,
            ...{ project_id: project_id!, survey_id: null, status: 'pending' as const, reason: note, import_id },
            ...{ claimed_at: null, payout_job: null, sent_at: null, created_at: ctx.now, updated_at: ctx.now },
          }),
        ),
      )
      .returning('id')
      .execute()
    for (const [nth, { id }] of ids.entries()) records.set(some[nth]!.line, id)
  }
  return records
}

/** Deletes an upload's entries that nobody has changed since; returns how many. */
async function removeUntouched(ctx: Ctx, { id, project_id }: ImportRecord): Promise<number> {
  await lockMarks(ctx.services.database, ctx.tx, [project_id!])
  const gone = await ctx.tx
    .deleteFrom('entries')
    .where('import_id', '=', id)
    .where('status', '=', 'pending')
    .where('lock_version', '=', 1)
    .whereRef('updated_at', '=', 'created_at')
    .executeTakeFirst()
  emitChanges(ctx, project_id!)
  return Number(gone.numDeletedRows)
}

function emitChanges(ctx: Ctx, project_id: number): void {
  ctx.emit({ noun: 'entry', id: project_id, project_id, audience: 'admin' })
  ctx.emit({ noun: 'project', id: project_id, project_id, kind: 'counters' })
}

/** Throws 409 for a file that was uploaded to this project before, by an import other than `id`. */
export async function refuseSameUpload(
  ctx: Pick<Ctx, 'db' | 'services'>,
  project_id: number,
  hash: string,
  id?: number,
): Promise<void> {
  const was = await sameFile(ctx.db, 'reward', hash, { project_id })
  if (!was || was.id === id) return
  const on = showTime(Date.parse(was.created_at), 'day', ctx.services.settings.timeZone)
  const who = uploaderOf(was)
  throw new HttpError(409, 'same_file', `This file was uploaded on ${on}${who ? ` by ${who}` : ''}.`, { import_id: was.id })
}

/** Starts an upload: adds the job that creates its entries, which continues where an earlier one stopped. */
export async function startUpload(ctx: Ctx, { id, name, lock_version }: StartedBy): Promise<number> {
  const title = `Rewards from a file: ${name}`
  const { id: job_id } = await ctx.services.jobs.add(ctx, { kind: 'rewards', title, input: { import_id: id } })
  await ctx.tx
    .updateTable('imports')
    .set({ status: 'running', error: '', ended_at: null, job_id, updated_at: ctx.now, lock_version: lock_version + 1 })
    .where('id', '=', id)
    .execute()
  ctx.emit({ noun: 'import', id, audience: 'admin' })
  return job_id
}

/** Reward files: a list of people becomes pending entries of a project, without any payment. */
export const rewardKind: ImportKind<Row, State> = {
  kind: 'reward',
  noun: 'entry',
  fields: FIELDS,
  most: UPLOAD_ROWS,
  blocked({ columns }) {
    if (!columns.includes('email')) return 'Choose the column that holds the email.'
    return columns.includes('amount') || columns.includes('reward')
      ? null
      : 'Choose the column that holds the amount or the reward.'
  },
  async begin(db, imported) {
    const project_id = imported.project_id!
    const rewards = await offeredIn(db, project_id)
    const project = await db.selectFrom('projects').select('provider_id').where('id', '=', project_id).executeTakeFirst()
    const provider_id = project?.provider_id ?? rewards[0]?.provider_id ?? PROVIDERS[0].value
    return { project_id, import_id: imported.id, provider_id, rewards, emails: new Map(), ips: new Map() }
  },
  read,
  check,
  write,
  tally(checked) {
    const having = (test: (note: CheckedLine<Row>['notes'][number]) => boolean) =>
      checked.filter(({ notes }) => notes.some(test)).length
    return {
      cents: checked.reduce((sum, { row }) => sum + row.amount_cents, 0),
      unpayable: having(({ field }) => field === 'amount'),
      repeated_in_file: having(({ field, message }) => field !== 'amount' && message !== IN_PROJECT),
      repeated_in_project: having(({ message }) => message === IN_PROJECT),
    }
  },
  async ended(ctx, { project_id, id, created, failed, name }) {
    const after = { rewards: created, reward_status: 'pending', file: name, ...(failed ? { refused: failed } : {}) }
    await ctx.record({ subject: 'project', subject_id: project_id!, after: { ...after, import_id: id } })
    emitChanges(ctx, project_id!)
  },
  async discard(ctx, imported) {
    await removeUntouched(ctx, imported)
  },
  async takeBack(ctx, imported) {
    const removed = await removeUntouched(ctx, imported)
    const left = await ctx.tx
      .selectFrom('entries')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('import_id', '=', imported.id)
      .executeTakeFirstOrThrow()
    return { removed, kept: Number(left.count) }
  },
}
