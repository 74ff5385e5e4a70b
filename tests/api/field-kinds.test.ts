import { beforeAll, expect, test } from 'vitest'
import { accountFields, forgotFields, personFields } from '../../contract/accountFields.ts'
import { activityFields, wholeFields } from '../../contract/activityFields.ts'
import { type CallId, calls } from '../../contract/calls.ts'
import { takesDry } from '../../contract/dry.ts'
import { fieldCode } from '../../contract/fieldCodes.ts'
import {
  blankOf,
  type Field,
  type Fields,
  isBlank,
  linesIn,
  omit,
  pick,
  readField,
  sentenceOf,
} from '../../contract/fieldKinds.ts'
import { fieldTables } from '../../contract/fieldTables.ts'
import { groupFields } from '../../contract/groupFields.ts'
import { scheduleFields } from '../../contract/occasionFields.ts'
import { olderFields, usDate } from '../../contract/olderFields.ts'
import { storedFields } from '../../contract/projectFields.ts'
import { questionFields } from '../../contract/questionFields.ts'
import { childFields, olderRequestFields } from '../../contract/requestFields.ts'
import { targetFields } from '../../contract/targetFields.ts'
import { inviteFields } from '../../contract/userFields.ts'
import { namesOf } from '../../server/core/input.ts'
import { HOSTILE } from '../support/fieldTexts.ts'
import { type Maker, sendExample, WRITE_EXAMPLES, WRITES, type WriteExample } from '../support/writeExamples.ts'
import { type Fieldwork, fieldwork } from './support.ts'

/*
 * The fourth way of a field's value, beside tests/unit/field-kinds.test.ts: requests.
 * Every write that takes a field of a table is tried, in each spelling, in lists and within other records.
 */
let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})

interface Body {
  fields?: Record<string, string>
  field_codes?: Record<string, string>
  data?: Record<string, unknown>
  rows?: { field: string; code: string; message: string }[]
  ignored?: string[]
}
/** Fields that a write takes within another one: in an object, or in each of a list. */
interface Within {
  readonly fields: Fields
  readonly list?: true
}
interface Takes {
  /** The fields by the call's names for them, beside those of the table of its id or noun. */
  readonly own?: Fields
  readonly within?: Readonly<Record<string, Within>>
  /** Its errors are named by row. */
  readonly errors?: true
}
const audience = olderFields(omit(targetFields, 'children'))
const olderEdit = {
  own: { ...olderFields(storedFields), ...audience, goal: storedFields.goal, num_completed_actions: storedFields.goal },
  within: { survey_activity: { fields: wholeFields } },
}
/** TABLE  what calls take of tables under other names, or within other fields. */
const TAKES: Partial<Record<CallId, Takes>> = {
  'session.register': { own: personFields },
  'session.forgot': { own: forgotFields },
  'user.inviteOlder': { own: inviteFields },
  'user.inviteMany': {
    own: inviteFields,
    within: { people: { fields: pick(inviteFields, 'email', 'first_name', 'last_name'), list: true } },
  },
  'user.resendActivation': { own: inviteFields },
  'user.setCompany': { own: { company: accountFields.company, company_name: accountFields.company } },
  'group.create': { own: { location_name: groupFields.name } },
  'group.edit': { own: { location_name: groupFields.name } },
  'client.editLocationGroup': { own: { name: groupFields.name, location_name: groupFields.name } },
  'campaign.create': { own: olderFields(olderRequestFields) },
  'campaign.edit': olderEdit,
  'campaign.editProject': olderEdit,
  'request.correct': { own: storedFields },
  'project.edit': { within: { activity: { fields: activityFields }, target: { fields: targetFields } } },
  'project.createChild': {
    within: { siblings: { fields: pick(childFields, 'name', 'start_dt', 'end_dt', 'goal'), list: true } },
  },
  'activity.editOlder': {
    own: { survey_link: activityFields.url, survey_url: storedFields.survey_url },
    within: { content: { fields: { url: activityFields.url } } },
  },
  'file.addAssets': { within: { assets: { fields: fieldTables['file.addAssets']!, list: true } } },
  'event.edit': { within: { schedules: { fields: scheduleFields, list: true } } },
  'question.bulk': {
    errors: true,
    within: { rows: { fields: omit(questionFields, 'order', 'options', 'answer_type', 'question_type'), list: true } },
  },
}
/** TABLE  names that mean something else in a call than in its noun's table. */
const ELSE: readonly string[] = [
  'project.assignPartner partner_id',
  'project.assign partner_id',
  'project.mailPartnerNow partner_id',
  'project.mailPartner partner_id',
]
/** Kinds whose values a test of their own tries. */
const isTried = ({ kind }: Field) => kind !== 'rows' && kind !== 'coordinates'

/** A field of a call, at a path: a name, or one within another or the first of a list. */
interface Place {
  readonly id: CallId
  readonly at: readonly string[]
  readonly name: string
  readonly field: Field
}
const placesOf = (id: CallId): Place[] => {
  const [noun = ''] = id.split('.')
  const { own, within = {} } = TAKES[id] ?? {}
  const fields = { ...(own && fieldTables[noun] === undefined ? {} : (fieldTables[id] ?? fieldTables[noun])), ...own }
  const taken = namesOf(calls[id].input)
  const here = taken.flatMap((name) => (Object.hasOwn(fields, name) ? [{ id, at: [], name, field: fields[name]! }] : []))
  const deeper = Object.entries(within).flatMap(([at, { fields, list }]) =>
    Object.entries(fields).map(([name, field]) => ({ id, at: list ? [at, '0'] : [at], name, field })),
  )
  return [...here, ...deeper].filter(({ name, field }) => isTried(field) && !ELSE.includes(`${id} ${name}`))
}
const titleOf = ({ id, at, name }: Place) => [id, [...at, name].join('.')].join(' ')
const all = WRITES.filter((id) => id in WRITE_EXAMPLES)
  .flatMap((id) => placesOf(id))
  .map((place): [string, Place] => [titleOf(place), place])

/** TABLE  names of one field that must agree, so that both are sent. */
const TWINS: Readonly<Record<string, string>> = {
  location_name: 'name',
  company_name: 'company',
  num_completed_actions: 'goal',
  survey_link: 'survey_url',
  campaign_name: 'name',
}
/** Values of other types, which only programs send. */
const OTHER_TYPES: readonly unknown[] = [true, {}, [{}], { toString: 1 }, [[]]]
/** Kinds that name other records: which ones there are, their calls know. */
const isOther = ({ kind }: Field) => kind === 'record' || kind === 'records' || kind === 'file' || kind === 'files'
/** Two texts of each outcome: values, and each sentence with its code. */
function textsFor(field: Field): unknown[] {
  const seen = new Map<string, number>()
  return HOSTILE.filter((text) => {
    // A request is UTF-8, which has no half of a pair.
    if (!text.isWellFormed()) return false
    const read = readField(field, text)
    const outcome = isBlank(text) ? `blank ${text.trim()}` : 'fault' in read ? `${read.fault} ${fieldCode(field, text)}` : 'value'
    seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
    return seen.get(outcome)! <= (outcome === 'value' ? 8 : 2)
  })
}

/** Fields whose blank value the call's handler judges by the record, or that have another sentence for it. */
const isForHandler = ({ when, mayLack, needed, fill, kind, required, nullable }: Field): boolean =>
  Boolean(when || mayLack || needed || fill) || ((kind === 'choice' || kind === 'integer') && !required && !nullable)
/** TABLE  fields that a call refuses in other words, with the reason. */
const IN_OTHER_WORDS: Readonly<Record<string, string>> = {
  ...ofEach('user.edit user.editOlder', 'role', 'a role’s number is taken too, and named'),
  ...ofEach('user.invite user.inviteMany user.inviteOlder', 'role_id', 'a role’s number is taken too, and named'),
  'campaign.create campaign_type': 'it is the project’s type, in its words',
}
/** TABLE  fields whose blank value a call takes or refuses otherwise than their kind, with the reason. */
const BLANKS: Readonly<Record<string, string>> = {
  'user.setCompany company': 'a person’s company can’t be removed here',
  'user.setCompany company_name': 'a person’s company can’t be removed here',
  'project.create end_dt': 'without one, it follows from the start',
  'request.create end_dt': 'without one, it follows from the start',
  ...ofEach('project.edit request.correct campaign.edit campaign.editProject', 'survey_url', 'a running survey needs one'),
  'activity.editOlder survey_url': 'a running survey needs one',
  'project.reject reason': 'a rejection needs one',
  'campaign.create client_id': 'a user of one client has it',
  ...ofEach('campaign.edit campaign.editProject', 'age_range', 'a campaign without an audience has none'),
  ...ofEach('campaign.edit campaign.editProject', 'gender', 'a campaign without an audience has none'),
  'target.check age': 'a form’s before one is chosen',
  'target.check gender': 'a form’s before one is chosen',
  'service.edit category_id': 'its service has none',
}
/** TABLE  fields of which a call refuses values that their kind takes, or stores them otherwise, with the reason. */
const VALUES: Readonly<Record<string, string>> = {
  ...ofEach('user.edit user.editOlder', 'birth_date', 'it is judged by the age that follows from it'),
  ...ofEach('project.edit request.correct', 'end_dt', 'it is behind the start'),
  ...ofEach('campaign.edit campaign.editProject', 'end_date', 'it is behind the start'),
  'user.setCompany company_name': 'a record has the client’s name there',
  'project.createChild start_dt': 'it is within its parent’s',
  'request.create children': 'a project’s children are projects',
  ...ofEach('quota.create quota.edit', 'total', 'it is at most what the project ordered'),
  ...ofEach('request.create target.create target.edit', 'targeted_locations', 'the server knows the codes'),
  ...ofEach('campaign.edit campaign.editProject', 'targeted_location', 'the server knows the codes'),
  ...ofEach('question.create question.edit', 'options', 'its answer type decides how many there are'),
  ...ofEach('landing.save', 'facebook_q1_text', 'a record has it in an object'),
  ...ofEach('landing.save', 'fulcrum_q1_text', 'a record has it in an object'),
  ...ofEach('notification.create notification.edit', 'url', 'its action decides whether it has one'),
}
/** TABLE  fields that a call reads otherwise, with the reason. */
const OTHERWISE: Readonly<Record<string, string>> = {
  'service.create category': 'its name is taken too',
  ...ofEach(
    'campaign.edit campaign.editProject',
    'num_completed_actions',
    'its sentence about 0 names goal, which it is for one project',
  ),
  'project.edit activity.social_type': 'an edit may send back what an older release stored, so its activity is read first',
}
/** Fields that a call takes in an object, too. */
const IN_OBJECTS: readonly string[] = ['landing.save facebook_q1_text', 'landing.save fulcrum_q1_text']
/** The same reason for a field of several calls. */
function ofEach(ids: string, name: string, reason: string): Record<string, string> {
  return Object.fromEntries(ids.split(' ').map((id) => [`${id} ${name}`, reason]))
}
/** A value as a record of a call has it: lists of an audience are comma lists there, and older dates American. */
const spelled = (value: unknown, stored: unknown): unknown => {
  if (typeof stored !== 'string') return value
  return Array.isArray(value) ? value.join(',') : usDate(String(value)) === stored ? stored : value
}

/** The example's body with this value at a place. */
function bodyWith({ input }: WriteExample, { at: [top, ...rest], name }: Place, value: unknown): Record<string, unknown> {
  if (top === undefined)
    return { [name]: value, ...(TWINS[name] && Object.hasOwn(input, TWINS[name]) ? { [TWINS[name]]: value } : {}) }
  const there = input[top]
  if (!rest.length) return { [top]: { ...(there as object), [name]: value } }
  const [first = {}, ...more] = (there ?? []) as object[]
  return { [top]: [{ ...first, [name]: value }, ...more] }
}

test.each(all)('%s is read by a request as by its kind', async (title, place) => {
  const { id, at, name, field } = place
  if (OTHERWISE[title]) return
  const made = await (WRITE_EXAMPLES[id] as Maker)(app)
  const { errors } = TAKES[id] ?? {}
  const dry = takesDry(id, calls[id]) && !errors ? { dry: 1 } : {}
  const wrong: string[] = []
  for (const value of [...textsFor(field), ...(made.files ? [] : OTHER_TYPES)]) {
    // An entry of another type is named by its place in the list.
    if (field.kind === 'lines' && Array.isArray(value)) continue
    if (IN_OBJECTS.includes(title) && typeof value === 'object') continue
    if (isBlank(value) && isForHandler(field)) continue
    if (BLANKS[title] && fieldCode(field, value) === 'required') continue
    // Calls take midnight behind a day, and have a sentence of their own for another time.
    if (field.kind === 'day' && /T\d\d:/.test(String(JSON.stringify(value)))) continue
    const read = readField(field, value)
    if ('value' in read && (VALUES[title] || !('dry' in dry) || isOther(field))) continue
    const sent = field.kind === 'lines' && typeof value === 'string' ? linesIn(value) : value
    const { status, body } = (await sendExample(id, made, { ...bodyWith(made, place, sent), ...dry })) as {
      status: number
      body: Body
    }
    // A part of a record is named with it: event.name.
    const path = [...at, name].join('.')
    const [key = '', named] = Object.entries(body.fields ?? {}).find(([key]) => key === path || key.endsWith(`.${path}`)) ?? []
    const row = body.rows?.find(({ field }) => field === name)
    const [message, code] = row ? [row.message, row.code] : [named, body.field_codes?.[key]]
    const about = (what: unknown) =>
      wrong.push(`${JSON.stringify(value).slice(0, 50)}: ${status} ${message} ${code} instead of ${what}`)
    if ('fault' in read) {
      const inOtherWords =
        field.kind === 'day' ||
        (field.kind === 'choice' && typeof value === 'string' && value.length > 40) ||
        IN_OTHER_WORDS[title]
      const right =
        inOtherWords || message?.endsWith(sentenceOf(name, read.fault)) || message === sentenceOf(field.label, read.fault)
      if (message === undefined || !right || code !== fieldCode(field, value)) about(`${read.fault} ${fieldCode(field, value)}`)
    } else if (message !== undefined && !field.against && typeof value === 'string') about(JSON.stringify(read.value))
    // What doesn’t apply beside the example’s other values is left out, and said.
    else if (field.when && body.ignored?.includes(name)) continue
    // An email waits until it is confirmed, and money has a column of its own.
    else if (status === 200 && !at.length && !['money', 'email'].includes(field.kind) && Object.hasOwn(body.data ?? {}, name)) {
      const stored = body.data![name]
      const expected = read.value ?? blankOf(field) ?? null
      if (JSON.stringify(stored) !== JSON.stringify(spelled(expected, stored)))
        about(`${JSON.stringify(expected)}: it is ${JSON.stringify(stored)}`)
    }
  }
  expect(wrong, wrong.join('\n')).toEqual([])
})

test('the tables name fields', () => {
  const titles = all.map(([title]) => title)
  for (const title of [IN_OTHER_WORDS, BLANKS, VALUES, OTHERWISE].flatMap(Object.keys)) expect(titles).toContain(title)
})
