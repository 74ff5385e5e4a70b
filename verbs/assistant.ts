import { createHash, randomUUID } from 'node:crypto'
import { ACTION_CALLS } from '../contract/actionCalls.ts'
import { type CallId, calls } from '../contract/calls.ts'
import { withoutSpellings } from '../contract/commonNames.ts'
import { sentenceOf } from '../contract/issueWords.ts'
import { rightsOfFields } from '../contract/rights.ts'
import { refusedToTokens, scopeNeeded } from '../contract/tokenScope.ts'
import { aboutField } from './aboutField.ts'
import type { Confirmations } from './confirmations.ts'
import { ApiError, UsageError } from './errors.ts'
import { meant } from './meant.ts'
import { requestOf, type Sender } from './request.ts'
import { reviewOf } from './review.ts'
import { plain } from './values.ts'
import { aboutNoun, allVerbs, newerOf, nounWords, type Verb, verbFor, verbNamed } from './verbs.ts'
import { jobsIn, waitFor } from './waitFor.ts'

type Values = Record<string, unknown>

/** How a request is stopped, and told how far its job is. */
export interface Sending {
  signal: AbortSignal
  progress(done: number, total: number, message: string): void
}

/** What the tool `change` is asked. */
interface Change {
  command: string
  input: Values
  preview: boolean
  confirmation?: string | undefined
}

/** How an assistant is served. */
export interface Terms {
  /** True if it may change something. */
  writes: boolean
  /** What would let it, as the end of “It needs …”. */
  toWrite: string
  confirmations: Confirmations
  /** Ends the waiting for a job, which itself continues. */
  patience?(): AbortSignal
}

/** The commands as an assistant uses them. */
export interface Assistant {
  writes: boolean
  find(words: string): object
  describe(command: string): object
  read(command: string, input: Values, sending: Sending): Promise<object>
  change(terms: Change, sending: Sending): Promise<object>
  /** Says why something failed, so that a model can do better. */
  reasonOf(error: unknown): object
}

/** Commands that one search returns. */
const MOST_FOUND = 40
/** Characters of an answer, as JSON. */
const LONGEST_ANSWER = 40_000
/** The server did nothing, or can't say: the same confirmation may be sent again. */
const BUSY: ReadonlySet<number> = new Set([0, 429, 502, 503, 504])

/** Returns why an assistant can't run a command at all; null if it can. */
function closedOf({ id, row }: Verb): string | null {
  const closed = refusedToTokens(id, row)
  if (closed) return closed
  if (row.files && !row.files.optional) return 'It takes a file: use the command line for it.'
  return row.media || row.as === 'stream' ? 'It answers a file: use the command line for it.' : null
}

/** The fields with which a command is confirmed first; false for none. */
function confirmedBy({ fields, lasting }: Verb): string | false {
  const names = fields.flatMap(({ name }) => (lasting({ [name]: true }) === null ? [] : [name]))
  return names.length > 0 && `with ${names.join(', ')}`
}

/** Says with which command and input an action of `allowed_actions` is made. */
function madeBy(action: string): string {
  const { call, record, input = {}, asks = [] } = ACTION_CALLS[action]!
  const fields = [...Object.entries(input).map(([name, value]) => `${name} ${JSON.stringify(value)}`), ...asks]
  const others = fields.length ? `${record ? ', ' : ''}${fields.join(', ')}` : ''
  return `${action} is an action of the command ${call}${record || others ? `, with ${record ? `the record’s id as ${record}` : ''}${others}` : ''}.`
}

/** The command of an id such as `project.goLive`, or of the two words `project go-live`. */
function commandOf(text: string): Verb {
  const id = text.trim()
  if (Object.hasOwn(calls, id)) return verbFor(id as CallId)
  if (Object.hasOwn(ACTION_CALLS, id)) throw new UsageError(madeBy(id))
  const [noun = '', word = ''] = id.split(/[\s.]+/)
  const verb = verbNamed(noun, word)
  if (verb) return verb
  throw new UsageError(`There is no command “${plain(id)}”.${meant(id, Object.keys(calls))} find_commands lists them.`)
}

/** A value as JSON with its keys in order, so that the same input always reads the same. */
const ordered = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) =>
    one && typeof one === 'object' && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  )

/** Checks an input by the call's own schema; throws with a sentence for each field that is wrong. */
function checkInput({ row, fields, id }: Verb, input: Values): void {
  const names = fields.map(({ name }) => name)
  const wrong: Record<string, string> = {}
  const older = fields.flatMap((field) => field.older ?? [])
  for (const name of Object.keys(input))
    if (!names.includes(name) && !older.includes(name)) wrong[name] = `${id} has no such field.${meant(name, names)}`
  const checked = row.input.safeParse(input)
  for (const issue of checked.error?.issues ?? []) {
    const name = issue.path.join('.')
    wrong[name] ??= sentenceOf(name, issue, input)
  }
  if (Object.keys(wrong).length)
    throw new ApiError(422, { message: 'The input is wrong, and nothing was sent.', code: 'invalid', fields: wrong })
}

/** Cuts an answer that is too long: rows of a list from its end, anything else to its beginning. */
export function limited(answer: unknown, longest = LONGEST_ANSWER, next?: string | null): object {
  const value = (answer && typeof answer === 'object' ? answer : { data: answer ?? null }) as Values
  const text = JSON.stringify(value)
  if (text.length <= longest) return value
  const { data, ...rest } = value
  const onward = next ? ' Or follow next_cursor with as few rows a page.' : ''
  if (Array.isArray(data)) {
    const room = longest - JSON.stringify(rest).length - 300
    let used = 0
    const fitting = data.filter((row) => {
      used += JSON.stringify(row).length + 1
      return used <= room
    })
    if (fitting.length)
      return {
        ...rest,
        data: fitting,
        cut: `Only ${fitting.length} of ${data.length} rows fit: ask for per_page ${fitting.length}, or filter.${onward}`,
      }
  }
  const cut = `The answer has ${text.length} characters: this is its beginning.`
  // Quotation marks become two characters in a text.
  let beginning = text.slice(0, longest - 300)
  for (let over = 1; over > 0; beginning = beginning.slice(0, Math.max(0, beginning.length - over)))
    over = JSON.stringify({ beginning, cut }).length - longest
  return { beginning, cut }
}

/** The cursor of the next page, from the header Link. */
function nextCursor(headers: Headers): string | null {
  const next = /<([^<>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
  return next ? new URLSearchParams(next.split('?')[1]).get('cursor') : null
}

/** Every read takes `fields`, the names of what its records are cut down to. */
const withoutFields = (verb: Verb, input: Values): Values => {
  if (verb.fields.some(({ name }) => name === 'fields')) return input
  const { fields: _, ...rest } = input
  return rest
}
const fieldsNamed = (fields: unknown): readonly string[] =>
  (Array.isArray(fields) ? fields : String(fields).split(',')).map((name) => String(name).trim()).filter(Boolean)

/** An answer whose records have these fields alone; throws for a name that none of them has. */
function onlyFields(answer: unknown, names: readonly string[]): unknown {
  const { data } = (answer ?? {}) as { data?: unknown }
  const records = (Array.isArray(data) ? data : [data]).filter((one): one is Values => one !== null && typeof one === 'object')
  const missing = records.length ? names.find((name) => !records.some((record) => Object.hasOwn(record, name))) : undefined
  if (missing !== undefined)
    throw new UsageError(`fields: there is no ${missing} in the answer.${meant(missing, Object.keys(records[0]!))}`)
  const cut = (record: unknown) =>
    record !== null && typeof record === 'object'
      ? Object.fromEntries(names.flatMap((name) => (Object.hasOwn(record, name) ? [[name, (record as Values)[name]]] : [])))
      : record
  return { ...(answer as object), data: Array.isArray(data) ? data.map(cut) : cut(data) }
}

/** TABLE  words of people, with those that commands are described by. */
const MEANINGS: Readonly<Record<string, readonly string[]>> = {
  behind: ['pacing', 'overdue'],
  late: ['pacing', 'overdue'],
  schedule: ['pacing'],
  slow: ['pacing'],
  stop: ['status', 'pause'],
  pause: ['setstatus'],
  resume: ['setstatus'],
  finish: ['setstatus', 'completed'],
  launch: ['golive'],
  money: ['cost', 'payout', 'reward'],
  price: ['cost', 'quote'],
  budget: ['cost'],
  people: ['user', 'respondent'],
  person: ['user'],
  company: ['client'],
  customer: ['client'],
  vendor: ['partner'],
  supplier: ['partner'],
  panel: ['partner'],
  results: ['responses', 'completes'],
  answers: ['responses'],
  download: ['export'],
  csv: ['export'],
  excel: ['export'],
  revert: ['undo'],
}
/** Words that say nothing about a command. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  'a all an and are for from how i in is me my of on our please show the to what which who with'.split(' '),
)
const stemOf = (word: string): string => word.replace(/(?<=...)s$/, '')

/** How many of the words are in a text, or what they mean in it or among the fields. */
const scoreOf = (text: string, fields: readonly string[], terms: readonly string[]): number =>
  terms.filter((word) => {
    const meanings = MEANINGS[word] ?? MEANINGS[stemOf(word)] ?? []
    return [word, ...meanings].some((one) => text.includes(stemOf(one))) || meanings.some((one) => fields.includes(one))
  }).length

/** True if a word is this noun, or means it. */
const isNamed = (noun: string, terms: readonly string[]): boolean =>
  terms.some((word) => [word, ...(MEANINGS[stemOf(word)] ?? MEANINGS[word] ?? [])].some((one) => stemOf(one) === noun))

const fieldNames = ({ row }: Verb): string[] => Object.keys((row.input as unknown as { shape?: object }).shape ?? {})

/** The actions that each command makes. */
const ACTIONS_OF: ReadonlyMap<string, readonly string[]> = new Map(
  [...Map.groupBy(Object.entries(ACTION_CALLS), ([, { call }]) => call)].map(([call, rows]) => [
    call,
    rows.map(([action]) => action),
  ]),
)

/** Makes an assistant's commands from the calls table. */
export function assistantOf(sender: Sender, { writes, toWrite, confirmations, patience }: Terms): Assistant {
  const open = (text: string): Verb => {
    const verb = commandOf(text)
    const closed = closedOf(verb)
    if (closed) throw new UsageError(closed)
    return verb
  }
  const digestOf = (id: string, input: Values) =>
    createHash('sha256')
      .update(`${id} ${ordered(input)}`)
      .digest('hex')

  /** Waits for the jobs that an answer began. */
  async function jobsOf(answer: unknown, { signal, progress }: Sending): Promise<object> {
    const ended: object[] = []
    const enough = patience?.()
    for (const id of jobsIn(answer)) {
      const waiting = waitFor(sender, id, {
        signal: enough ? AbortSignal.any([signal, enough]) : signal,
        progress: ({ done, total, title, status }) => progress(done, total, `${plain(title)}: ${status}`),
      })
      const job = await waiting.catch((error: unknown) => {
        if (!enough?.aborted) throw error
        return { id, note: 'It is still running: read it later with job.get.' }
      })
      ended.push(job ?? { id, note: 'It is started. This token can’t watch it: that needs the scope *:read.' })
    }
    return ended.length ? { jobs: ended } : {}
  }

  return {
    writes,
    find(words) {
      const all = allVerbs().filter((verb) => !closedOf(verb))
      if (!words.trim()) return { kinds: nounWords.map((noun) => ({ noun, about: aboutNoun(noun) })), hint: 'Search by words.' }
      const said = words
        .toLowerCase()
        .split(/[\s.,]+/)
        .filter(Boolean)
      const told = said.filter((word) => !EMPTY_WORDS.has(word))
      const terms = told.length ? told : said
      const textOf = ({ id, noun, verb, row }: Verb) =>
        `${id} ${noun} ${verb} ${row.about} ${aboutNoun(noun)} ${(ACTIONS_OF.get(id) ?? []).join(' ')}`.toLowerCase()
      // Commands with more of the words come first; with all of them, nothing else is listed.
      const scored = all
        .map((verb) => ({ verb, score: scoreOf(textOf(verb), fieldNames(verb), terms) + (isNamed(verb.noun, terms) ? 0.5 : 0) }))
        .filter(({ score }) => score >= 1)
        .toSorted((a, b) => b.score - a.score)
      const whole = scored.filter(({ score }) => score >= terms.length)
      const first = (whole.length ? whole : scored).map(({ verb }) => verb)
      const usable = first.filter((verb) => writes || !verb.writes)
      const actions = Object.keys(ACTION_CALLS).filter((action) =>
        terms.some((word) => action.toLowerCase().includes(stemOf(word))),
      )
      return {
        commands: usable.slice(0, MOST_FOUND).map(({ id, row, writes: changes }) => ({ command: id, about: row.about, changes })),
        ...(actions.length ? { actions: actions.slice(0, MOST_FOUND).map((action) => ({ action, how: madeBy(action) })) } : {}),
        ...(usable.length > MOST_FOUND ? { more: usable.length - MOST_FOUND } : {}),
        ...(usable.length < first.length
          ? {
              need_write: first
                .filter((verb) => verb.writes)
                .map(({ id }) => id)
                .slice(0, MOST_FOUND),
            }
          : {}),
      }
    },
    describe(command) {
      const verb = open(command)
      const { id, row, fields, final, dry, lasting } = verb
      const rights = rightsOfFields(id)
      const properties = Object.fromEntries(
        fields.map((field) => [field.name, { ...field.schema, description: aboutField(field) || undefined }]),
      )
      return {
        command: id,
        about: [row.about, newerOf(id, (newer) => newer.id) ?? []].flat().join(' '),
        changes: verb.writes,
        ...(verb.writes ? { can_be_undone: !final, can_be_tried: dry, available: writes || `It needs ${toWrite}.` } : {}),
        ...(verb.writes ? { confirmed_first: final || lasting({}) !== null || confirmedBy(verb) } : {}),
        scope: scopeNeeded(id, row),
        ...(Object.keys(rights).length ? { scope_of_fields: rights } : {}),
        input_schema: {
          type: 'object',
          properties,
          required: fields.filter(({ required }) => required).map(({ name }) => name),
          additionalProperties: false,
        },
      }
    },
    async read(command, input, { signal }) {
      const verb = open(command)
      if (verb.writes)
        throw new UsageError(`${verb.id} changes something: use the tool change${writes ? '' : `, which needs ${toWrite}`}.`)
      checkInput(verb, withoutFields(verb, input))
      const { fields, ...sent } = input
      const picked = verb.fields.some(({ name }) => name === 'fields') ? input : sent
      const brief =
        verb.fields.some(({ name }) => name === 'brief') && sent.brief === undefined && fields === undefined
          ? { brief: true }
          : {}
      const { value, headers } = await sender.json(requestOf(verb, { input: { ...brief, ...picked }, files: [] }), {
        reads: true,
        signal,
      })
      const cursor = nextCursor(headers)
      // A field that is named is answered in its own spelling.
      const named = () => (picked === sent ? onlyFields(value, fieldsNamed(fields)) : value)
      const answer = fields === undefined ? withoutSpellings(value) : named()
      return limited(
        cursor && answer && typeof answer === 'object' ? { ...answer, next_cursor: cursor } : answer,
        LONGEST_ANSWER,
        cursor,
      )
    },
    async change({ command, input, preview, confirmation }, sending) {
      const verb = open(command)
      if (!writes) throw new UsageError(`This server only reads: changes need ${toWrite}.`)
      if (!verb.writes) throw new UsageError(`${verb.id} changes nothing: use the tool read.`)
      checkInput(verb, input)
      const { signal } = sending
      const typed = { input, files: [] }
      const digest = digestOf(verb.id, input)
      // A call that tries itself by its own field changes nothing.
      const asksFirst = preview || ((verb.final || verb.lasting(input) !== null) && input.dry !== true)
      if (confirmation === undefined && asksFirst) {
        const { reviewed, ...review } = await reviewOf(sender, verb, typed, signal)
        const again =
          'Show this to the person. If they agree, call change again with the same command, input and this confirmation.'
        return limited({
          review,
          done: false,
          ...(preview ? {} : { confirmation: await confirmations.add(digest, reviewed), next: again }),
        })
      }
      if (preview) throw new UsageError('A preview takes no confirmation.')
      const taken = confirmation === undefined ? null : await confirmations.take(confirmation, digest)
      // Sent twice with one confirmation, it is done once.
      const key = confirmation ?? randomUUID()
      const sent = sender.json(requestOf(verb, typed), { key, signal, reviewed: taken?.reviewed })
      const { value, headers } = await sent.catch(async (error: unknown) => {
        if (error instanceof ApiError && BUSY.has(error.status)) await taken?.reinstate()
        throw error
      })
      const number = headers.get('x-undo')
      const undo = number ? { undo: { command: 'undo.take', input: { id: Number(number) }, for: 'a day' } } : {}
      return limited({ ...(withoutSpellings(value) as object | null), done: true, ...undo, ...(await jobsOf(value, sending)) })
    },
    reasonOf(error) {
      if (!(error instanceof ApiError)) return { error: error instanceof Error ? error.message : String(error) }
      const { code, fields, scope, request_id, retry_after, changed } = error.body
      // Both versions: the number of the one that was reviewed, and the record as it is now.
      const meanwhile = code === 'changed' ? { changed, theirs: error.body.theirs } : {}
      const hint =
        error.status === 401
          ? 'The token is unknown, revoked or expired: the person has to sign in again.'
          : scope
            ? `The token needs the scope ${scope}.`
            : code === 'stale'
              ? 'Someone else changed it meanwhile: read it again and send its lock_version.'
              : code === 'changed'
                ? 'Nothing was done, and this confirmation is used up: call again without it, and show the person the new review.'
                : error.status === 0 || error.status === 429 || error.status === 503
                  ? 'Try again later.'
                  : undefined
      return limited({
        ...{ error: error.message, status: error.status, code, fields, scope, request_id, retry_after, hint },
        ...meanwhile,
      })
    },
  }
}
