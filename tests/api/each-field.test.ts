import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Call } from '../../contract/call.ts'
import { type CallId, calls } from '../../contract/calls.ts'
import type { Field, Fields } from '../../contract/fieldKinds.ts'
import { fieldTables } from '../../contract/fieldTables.ts'
import { olderFields } from '../../contract/olderFields.ts'
import { addDays } from '../../contract/pacing.ts'
import { projectFields } from '../../contract/projectFields.ts'
import { namesOf } from '../../server/core/input.ts'
import { same } from '../../server/http/writes.ts'
import { activity, file, type Maker, sendExample, WRITE_EXAMPLES, WRITES, type WriteExample } from '../support/writeExamples.ts'
import { everything, recordOf, rowTexts } from './kept.ts'
import { type Fieldwork, fieldwork, withoutDeliveries } from './support.ts'
import { testAll } from './wrong.ts'

// Every field of a write's input shows in the result, or is refused by name (decisions.md 13).
// The calls table provides the fields, so a new one needs a line here.
let app: Fieldwork
let market: number
beforeAll(async () => {
  app = await fieldwork()
  withoutDeliveries(app)
  market = (await app.db.selectFrom('dmas').select('code').orderBy('code').executeTakeFirstOrThrow()).code
})
const rowOf = (id: CallId) => calls[id] as Call
const example = (id: CallId) => (WRITE_EXAMPLES[id] as Maker)(app)
let serial = 0
const words = () => `Other words ${++serial}`
const address = () => `other${++serial}@mail.test`
const link = () => `https://survey.test/other/${++serial}`
const client = async () => (await app.make.client()).id
const project = async () => (await app.make.project({ client_id: app.client.id })).id
const upload = async (given: object = {}) => (await file(app, given)).id
const day = (days: number) => addDays(app.make.today(), days)

/** Names that identify the record, or the way and reason of a write; they aren't fields of a record. */
const HOW = new Set([
  ...['id', 'ids', 'note_id', 'location_group_id', 'surveyId', 'respondentId', 'token'],
  ...[
    'lock_version',
    'version',
    'force',
    'reason',
    'rejoin',
    'dry',
    'delay_seconds',
    'resend',
    'renew',
    'confirm_repeats',
    'skip_invitation',
    'strict',
    'on_behalf',
    'current_password',
  ],
])

/** Names that identify the record in a single call. */
const WHICH: Partial<Record<CallId, readonly string[]>> = {
  'landing.save': ['cid'],
  'audience.edit': ['projectId'],
  'report.createTemplate': ['project_id'],
  'client.editLocationGroup': ['client_id'],
  'group.edit': ['client_id'],
  'file.attach': ['file_id'],
  'file.attachToActivity': ['file_id'],
  'partner.merge': ['into_id'],
  'target.create': ['activity_id'],
  'webhook.replayFailed': ['since'],
  'webhook.rotate': ['overlap_hours'],
  'target.edit': ['activity_id'],
  'invitation.edit': ['partner_ids'],
  'invitation.remind': ['partner_ids'],
  'invitation.link': ['partner_id'],
  'invitation.revoke': ['partner_id'],
  'proffer.create': ['campaign_id', 'partner_id', 'company_name'],
  'proffer.quote': ['project_id', 'partner_id'],
  'vip.create': ['project_id'],
  'filter.delete': ['filter_id'],
  'filter.remove': ['filter_id'],
  // There is only one kind, which everybody gets.
  'notification.create': ['notification_type'],
  'notification.edit': ['notification_type'],
  // There is only one type.
  'reward.create': ['reward_type'],
  'reward.edit': ['reward_type'],
}

/** Another value of a field, with what it requires; stored as sent, or as `keptAs`. */
type Value = (made: WriteExample) => unknown
type Given = Value | { value: Value; with?: (made: WriteExample) => Promise<object> | object; keptAs?: string }

/** Fields by name, in both spellings. */
const FIELDS: Fields = Object.assign({}, ...Object.values(fieldTables), olderFields(projectFields))
/** TABLE  another value of a field without an example, by its kind. */
const KINDS: Partial<Record<Field['kind'], () => unknown>> = {
  text: words,
  name: words,
  email: address,
  url: link,
  phone: () => `646555${String(1000 + ++serial)}`,
}
/** Another value of a table's field: its example, a choice, or one of its kind; money is stored in cents. */
function declared(id: CallId, name: string): Given | undefined {
  const field = [fieldTables[id.split('.')[0]!], FIELDS].find((fields) => fields && Object.hasOwn(fields, name))?.[name]
  if (!field) return undefined
  const { kind, example = kind === 'choice' ? field.options.at(-1)?.value : undefined } = field
  if (example === undefined || kind === 'name') return KINDS[kind] as Value | undefined
  const value = () => example
  return kind === 'money' ? { value, keptAs: `"${field.column}":${Math.round(Number(example) * 100)}` } : value
}

/** TABLE  another value of fields without an example of their own, in any call. */
const OTHER: Record<string, Given> = {
  location_name: words,
  company_name: words,
  company_id: client,
  client_id: client,
  parent_id: project,
  num_completed_actions: () => 4712,
  start_dt: () => day(-3),
  start_date: () => day(-3),
  end_dt: () => day(31),
  end_date: () => day(31),
  preferences: () => ({ density: 'comfortable' }),
  query: () => `q=${++serial}`,
  age_range: () => '2,3',
  gender: () => 'female',
  hhi: () => '4,5',
  hhi_range: () => '4,5',
  ethnicity: () => 'white',
  ethnicity_range: () => 'white',
  marital: () => 'married',
  marital_status: () => 'married',
  marital_status_range: () => 'married',
  presence_of_children_range: () => '2',
  targeted_location: () => String(market),
  location_based_ind: () => 'yes',
}
/** TABLE  exceptions, where a call gives a name another meaning. */
const OF: Partial<Record<CallId, Record<string, Given>>> = {
  'user.edit': { role: () => 'admin', role_id: () => 2, name: () => 'Nora Newname' },
  'user.editOlder': { role: () => 'admin', role_id: () => 1, name: () => 'Nora Newname' },
  'project.edit': {
    status: { value: () => 'Paused', with: () => ({ reason: 'A holiday' }) },
    project_docsigns_attributes: async () => [{ id: await upload() }],
    campaign_contents_attributes: async () => [{ id: await upload() }],
    activity: async ({ input }) => ({ id: (await activity(app, Number(input.id))).id, name: 'Other shelf photos' }),
    target: async ({ input }) => ({
      activity_id: (await activity(app, Number(input.id))).id,
      age: ['3'],
      gender: ['female'],
      location_based: 'yes',
    }),
  },
  'project.follow': { follows: () => true },
  'project.setOwner': { owner_id: async () => (await app.make.user({ role: 'admin' })).id },
  'file.edit': { rotation: () => 270 },
  'brand.create': { end_dt: () => day(31) },
  'brand.edit': { status: () => 'inactive' },
  'service.edit': { category_id: () => 7, ordered: () => 4714, status: () => 'inactive' },
  'service.create': {
    brand_id: async () => (await app.make.brand()).id,
    category: { value: () => 'Bars', keptAs: '"category_id":' },
    start_date: () => day(3),
    ordered: () => 4714,
    user_ids: { value: () => [app.member.id], keptAs: '"user_id":' },
    venues: { value: () => [{ code: 'V-77', dma: 501 }], keptAs: '"V-77"' },
  },
  'organization.edit': {
    visitation: { value: () => ({ keep_months: 11 }), keptAs: '"visits_keep_months":11' },
  },
  'reward.create': { project_id: project },
  'notification.create': { url: { value: link, with: () => ({ message_action: 'web' }) } },
  'notification.edit': { url: { value: link, with: () => ({ message_action: 'web' }) } },
  'project.setCost': {
    cost: () => 1234,
    cost_cents: () => 123_400,
    valid_until: { value: () => day(5), with: () => ({ cost: 900 }) },
    hold: { value: () => true, with: () => ({ cost: 900 }) },
    shares: {
      value: async ({ input }) => [{ proffer_id: (await offer(Number(input.id))).id, completes: 3 }],
      with: () => ({ cost: 900, reason: 'A first order' }),
    },
    notify: { value: () => true, with: () => ({ cost: 900 }) },
  },
  'view.edit': { shared: () => 'everyone' },
  'target.edit': {
    location_based: () => 'yes',
    targeted_locations: () => [market],
    age: () => ['4', '6'],
    gender: () => ['male', 'other'],
    hhi: () => ['0', '5'],
    ethnicity: () => ['white', 'asian'],
    marital_status: () => ['married', 'widowed'],
    children: () => ['0', '4'],
  },
  'key.create': {
    projects: async () => [await project()],
    surveys: async () => [(await app.make.survey({ project_id: await project() })).id],
    services: async () => [(await app.make.service({ brand_id: (await app.make.brand()).id })).id],
    all_services: async () => true,
    // The end of that day.
    expires_on: { value: () => '2031-07-16', keptAs: '"2031-07-17T' },
    reads: () => false,
  },
  'token.create': {
    kind: () => 'service',
    scopes: () => ['note:read'],
    clients: async () => [app.client.id],
    projects: async () => [await project()],
    surveys: async () => [(await app.make.survey({ project_id: await project() })).id],
    expires_on: { value: () => '2031-07-16', keptAs: '"2031-07-17T' },
  },
  'webhook.create': {
    url: () => 'https://hooks.test/other',
    nouns: () => ['client', 'note'],
    clients: async () => [app.client.id],
  },
  'webhook.edit': {
    url: () => 'https://hooks.test/other',
    nouns: () => ['client', 'note'],
    clients: async () => [app.client.id],
  },
  'user.invite': {
    team_ids: async ({ input }) => [(await app.make.team({ client_id: Number(input.client_id) })).id],
    role_id: { value: () => 2, with: () => ({ client_id: undefined }), keptAs: '"admin"' },
  },
  'user.inviteOlder': {
    team_ids: async ({ input }) => [(await app.make.team({ client_id: Number(input.client_id) })).id],
    role_id: { value: () => 1, with: () => ({ client_id: undefined }), keptAs: '"admin"' },
  },
  'request.create': {
    status: () => 'Active',
    client_id: clientOfMember,
    activity_type: { value: () => 'photo', with: photo },
    action_type: { value: () => 'comment', with: photo },
    social_type: { value: () => 'twitter_tweet', with: social },
    social_text: { value: words, with: social },
    social_link: { value: link, with: social },
    location_based: { value: () => 'no', with: () => ({ targeted_locations: [market] }) },
    targeted_locations: { value: () => [market], with: () => ({ location_based: 'no' }) },
    age: () => ['4', '6'],
    gender: () => ['female'],
    hhi: () => ['4', '5'],
    ethnicity: () => ['white', 'asian'],
    marital_status: () => ['married', 'widowed'],
    children: () => ['1', '4'],
    reward_amount_cents: { value: () => 2000, with: () => ({ partner_id: 600 }) },
    file_ids: async () => [await upload({ uploaded_by: app.member.id })],
    start_dt: () => day(2),
  },
  'campaign.create': {
    status: () => 'active',
    user_id: () => app.admin.id,
    parent_id: async () => (await app.make.project({ client_id: app.client.id, generation: 'campaign' })).id,
    client_id: clientOfMember,
    start_date: () => day(3),
    file_ids: async () => [await upload({ uploaded_by: app.member.id })],
  },
  'client.addUser': {
    user_id: async () => (await app.make.user()).id,
    user_ids: async () => [(await app.make.user()).id],
    client_ids: async () => [(await app.make.client()).id],
    team_ids: async ({ input }) => [(await app.make.team({ client_id: Number(input.client_id) })).id],
  },
  'team.create': {
    user_ids: async () => [(await app.make.user()).id],
    project_ids: async () => [await project()],
  },
  'landing.save': {
    facebook_q1_text: () => ({ question: words() }),
    fulcrum_q1_text: () => ({ question: words() }),
    facebook_landing_url: link,
    fulcrum_landing_url: link,
  },
  'audience.edit': { facebook_active: () => 1, fulcrum_active: () => 1, active: () => 1 },
  'report.createTemplate': { client_id: client },
  'note.create': { project_id: project },
  'project.create': { status: () => 'Active', reward_amount_cents: { value: () => 2000, with: () => ({ partner_id: 600 }) } },
  'file.addAssets': {
    assets: {
      value: async () => [
        { file_id: await upload({ original_name: 'b.pdf' }), asset_type: 'Creative Assets', description: 'A new one' },
      ],
      keptAs: '"A new one"',
    },
  },
  'project.createChild': {
    project_id: project,
    start_dt: () => day(3),
    copy: {
      value: async ({ input }) => {
        await app.make.activity({ project_id: Number(input.project_id), name: 'Shelf photos' })
        return input.project_id
      },
      keptAs: '"Shelf photos"',
    },
    file_ids: async () => [await upload({ uploaded_by: app.admin.id, original_name: 'brief.pdf' })],
    siblings: { value: () => [{ name: 'Wave 9', start_dt: day(2) }], keptAs: '"Wave 9"' },
  },
  'note.edit': { project_id: project },
  'snapshot.create': { layout: () => `{"columns":["${words()}"]}` },
  'view.create': { screen: () => 'surveyProjects', shared: () => 'everyone' },
  'export.start': {
    source: () => 'users',
    filter: () => ({ search: words() }),
    columns: () => ['name'],
    format: () => 'xlsx',
  },
  'file.upload': {
    project_id: project,
    activity_id: async ({ input }) => (await activity(app, Number(input.project_id))).id,
    asset_type: () => 'Survey Document',
    kind: () => 'document',
  },
  'file.uploadDocument': {
    project_id: project,
    activity_id: async ({ input }) => (await activity(app, Number(input.project_id))).id,
    asset_type: () => 'Survey Document',
    kind: () => 'asset',
  },
  'file.attach': { project_id: project },
  'file.attachToActivity': { activity_id: async () => (await activity(app, await project())).id },
}
/** A social activity, which alone has the fields of a social post. */
async function social({ as }: WriteExample) {
  const uploaded_by = as === app.as('admin') ? app.admin.id : app.member.id
  return { activity_type: 'social', file_ids: [await upload({ uploaded_by })] }
}
/** Another value of each field of an activity. */
const ACTIVITY: Record<string, Given> = {
  social_type: { value: () => 'twitter_tweet', with: () => ({ activity_type: 'social' }) },
  social_link: { value: link, with: () => ({ activity_type: 'social' }) },
  social_text: { value: words, with: () => ({ activity_type: 'social' }) },
  activity_type: { value: () => 'photo', with: () => ({ action_type: 'photo' }) },
  action_type: { value: () => 'comment', with: () => ({ activity_type: 'video' }) },
}
OF['activity.create'] = { ...ACTIVITY, project_id: project }
OF['activity.edit'] = { ...ACTIVITY, file_ids: async () => [await upload()] }
OF['activity.whole'] = {
  project_id: project,
  activity_type: { value: () => 'photo', with: taken },
  action_type: { value: () => 'comment', with: taken },
  social_type: { value: () => 'twitter_tweet', with: social },
  social_link: { value: link, with: social },
  social_text: { value: words, with: social },
  location_based: { value: () => 'yes', with: aimed },
  targeted_locations: { value: () => [market], with: () => ({ ...aimed(), location_based: 'no' }) },
  age: { value: () => ['4', '6'], with: aimed },
  gender: { value: () => ['female'], with: aimed },
  hhi: { value: () => ['4', '5'], with: aimed },
  ethnicity: { value: () => ['white', 'asian'], with: aimed },
  marital_status: { value: () => ['married', 'widowed'], with: aimed },
  children: { value: () => ['1', '4'], with: aimed },
  survey_id: {
    value: async ({ input }) => (await app.make.survey({ project_id: Number(input.project_id) })).id,
    keptAs: '"activity_id":',
  },
  file_ids: async () => [await upload()],
}
OF['activity.linkSurvey'] = {
  activity_id: async ({ input }) => {
    const survey = await app.db
      .selectFrom('surveys')
      .select('project_id')
      .where('id', '=', Number(input.survey_id))
      .executeTakeFirstOrThrow()
    return (await activity(app, survey.project_id)).id
  },
  survey_id: { value: async () => (await app.make.survey({ project_id: await project() })).id, keptAs: '"activity_id":' },
}
OF['activity.editOlder'] = {
  file_ids: async () => [await upload()],
  survey_url: link,
  activity_type: () => 'photo',
  survey_link: link,
  notification_id: () => 4714,
  location_id: async () => {
    const place = { name: words(), address: '', latitude: null, longitude: null, deleted_at: null }
    return (await app.write((tx) => tx.insertInto('places').values(place).returning('id').executeTakeFirstOrThrow())).id
  },
  location_group: async () => (await app.make.group({ client_id: app.client.id })).id,
  content: () => ({ content_type: 'photo', url: '', photos: [] }),
}
const groupId = async () => (await app.make.group({ client_id: app.client.id })).id
OF['location.create'] = {
  latitude: { value: () => 44.48, with: () => ({ longitude: -73.21 }) },
  longitude: { value: () => -73.22, with: () => ({ latitude: 44.49 }) },
  group: groupId,
  group_ids: async () => [await groupId()],
}
OF['location.createOlder'] = { ...OF['location.create'] }
delete OF['location.createOlder'].group_ids
OF['location.edit'] = {
  ...OF['location.createOlder'],
  group: async () => (await app.make.group({ client_id: app.client.id })).name,
}
OF['location.editOlder'] = OF['location.edit']
OF['group.create'] = {
  location_name: { value: words, with: () => ({ name: undefined }) },
  location_ids: async () => [(await app.make.place()).id],
  activity_id: async () => another(await project()),
  client_id: client,
}
/** The input of a photo activity, and of an audience. */
async function taken() {
  return { activity_type: 'photo', action_type: 'photo', url: undefined, file_ids: [await upload()] }
}
function aimed() {
  return { location_based: 'yes', age: ['2'], gender: ['male'] }
}
const another = async (project_id: number) => (await activity(app, project_id)).id
const projectOf = async (survey_id: unknown) =>
  (await app.as('admin').call('survey.get', { id: Number(survey_id) })).body.data.project_id
OF['survey.create'] = {
  questions_count: () => 4714,
  survey_link: link,
  // Without an activity, as the example's is of its own project.
  survey_project_id: { value: project, with: () => ({ project_id: undefined, activity_id: undefined }) },
  project_id: { value: project, with: () => ({ activity_id: undefined }) },
  activity_id: ({ input }) => another(Number(input.project_id)),
  source_file_id: ({ input }) => upload({ project_id: Number(input.project_id) }),
  questions: { value: () => [{ name: 'A pasted question' }], keptAs: 'A pasted question' },
  replace: { value: () => true, keptAs: '"lock_version"' },
}
OF['survey.edit'] = {
  questions_count: () => 4714,
  survey_link: link,
  activity_id: async ({ input }) => another(await projectOf(input.id)),
  source_file_id: async ({ input }) => upload({ project_id: await projectOf(input.id) }),
  replace: {
    value: () => true,
    with: async ({ input }) => ({ activity_id: await another(await projectOf(input.id)) }),
  },
}
const choice = { options: () => ['Chips', 'Nuts', 'Both'], answer_type: () => 'multiple' }
OF['question.create'] = {
  ...choice,
  survey_id: async () => (await app.make.survey({ project_id: await project() })).id,
  question_type: () => 'profile',
  order: { value: () => 7, keptAs: '"position":7' },
}
OF['question.edit'] = {
  ...choice,
  question_type: () => 'reward',
  order: () => 7,
  rename_answers: { value: () => true, with: () => ({ options: ['Yes', 'Nope'] }) },
}
OF['question.bulk'] = {
  rows: { value: () => [{ name: 'Asked in bulk' }], keptAs: 'Asked in bulk' },
  question_type: () => 'profile',
}
OF['campaign.edit'] = {
  parent_id: async () => (await app.make.project({ client_id: app.client.id, generation: 'campaign' })).id,
  survey_activity: ({ input }) => ({
    project_id: input.id,
    name: 'Another survey',
    about: 'Asks again',
    activity_type: 'survey',
    url: 'https://survey.test/again',
  }),
  status: { value: () => 'paused', with: () => ({ reason: 'A holiday' }) },
  campaign_contents_attributes: async () => [{ id: await upload() }],
  project_docsigns_attributes: async () => [{ id: await upload() }],
}
const picture = async ({ input }: WriteExample) => {
  const { project_id } = (await app.as('admin').call('activity.get', { id: Number(input.id) })).body.data
  return upload({ project_id })
}
OF['event.edit'] = {
  start_date: () => '2026-12-02',
  end_date: () => '2026-12-04',
  schedules: () => [{ name: 'Doors', start: '2026-12-02T10:00', end: '2026-12-02T11:30' }],
  file_id: picture,
}
OF['promo.edit'] = { start_date: () => '2026-12-02', end_date: () => '2026-12-04', file_id: picture }
OF['post.edit'] = { content_type: () => 'video', file_id: picture, url: link }
OF['campaign.editProject'] = OF['campaign.edit']
OF['target.create'] = {
  ...OF['target.edit'],
  location_based: { value: () => 'no', with: () => ({ targeted_locations: [market] }), keptAs: '"location_based":"no"' },
}
OF['invitation.create'] = {
  partner_ids: async () => [(await app.make.partner()).id],
  title: words,
  message: words,
  answer_by: () => day(9),
  file_ids: async ({ input }) => [await upload({ project_id: Number(input.id) })],
  show_survey: { value: () => true, keptAs: '"shows_survey":1' },
  mail: { value: () => false, keptAs: '"mailed_at":null' },
}
OF['invitation.edit'] = {
  file_ids: async ({ input }) => [await upload({ project_id: Number(input.id) })],
  show_survey: { value: () => true, keptAs: '"shows_survey":1' },
  entry_url: () => 'https://entry.example/another',
}
OF['client.setApprovers'] = {
  user_ids: {
    value: async () => [(await app.make.user({ role: 'client', clients: [app.client.id] })).id],
    keptAs: '"approves":1',
  },
}
OF['proffer.quote'] = {
  fill_requirements: { value: () => 'No', with: () => ({ reason: 'Sold out' }) },
  feasible_completes: () => 321,
  cpi_cents: () => 777,
  incidence: () => 33,
  loi_minutes: () => 17,
  field_days: () => 9,
  valid_until: () => day(20),
  status: () => 'Rejected',
}
OF['proffer.create'] = { ...OF['proffer.quote'], draft: { value: () => true, keptAs: '"state":"draft"' } }
delete OF['proffer.create'].status
/** Another client of the client user's. */
async function clientOfMember() {
  const id = await client()
  await app.write((tx) => tx.insertInto('user_clients').values({ user_id: app.member.id, client_id: id }).execute())
  return id
}
/** A partner's acceptance in a project's first round. */
async function offer(project_id: number) {
  const partner_id = (await app.make.partner()).id
  await app.make.assign(project_id, partner_id)
  const yes = { fill_requirements: 'Yes', feasible_completes: 9, cpi_cents: 5, on_behalf: 'By phone' }
  await app.as('admin').call('proffer.create', { campaign_id: project_id, partner_id, ...yes })
  return app.db.selectFrom('proffers').select('id').where('partner_id', '=', partner_id).executeTakeFirstOrThrow()
}
/** The input of a photo activity. */
async function photo() {
  return { action_type: 'photo', activity_type: 'photo', file_ids: [await upload({ uploaded_by: app.member.id })] }
}

/** TABLE  fields accepted when they match the record, and refused by name otherwise. */
const REFUSED: Partial<Record<CallId, readonly string[]>> = {
  'note.edit': ['project_id'],
  'team.edit': ['client_id', 'company_id'],
  'team.editOlder': ['client_id', 'company_id'],
  'project.create': ['status'],
  'request.create': ['status'],
  'campaign.create': ['status', 'user_id'],
  'proffer.quote': ['name', 'description', 'status'],
}

/** Another value of a field whose schema says only that it is text or a number; undefined for other fields. */
function plainly(id: CallId, name: string): Value | undefined {
  const { properties = {} } = z.toJSONSchema(rowOf(id).input, { io: 'input', unrepresentable: 'any' })
  const { type, format, pattern, enum: among } = (properties[name] ?? {}) as z.core.JSONSchema.JSONSchema
  if (format || pattern || among) return undefined
  return type === 'string' ? words : type === 'integer' || type === 'number' ? () => 4713 : undefined
}

/** Builds the input that changes one field of an example, or creates a record with it. */
async function sent(id: CallId, name: string, made: WriteExample) {
  const given = OF[id]?.[name] ?? OTHER[name] ?? declared(id, name) ?? plainly(id, name)
  expect(given, `say in OTHER or OF what else ${name} of ${id} may be`).toBeDefined()
  const { value: another, with: besides, keptAs } = typeof given === 'function' ? { value: given } : given!
  const value = await another(made)
  const more: Record<string, unknown> = { ...(await besides?.(made)), [name]: value }
  return { value, more, keptAs }
}
const fieldsOf = (id: CallId) => namesOf(rowOf(id).input).filter((name) => !HOW.has(name) && !WHICH[id]?.includes(name))

/** TABLE  writes whose fields are tested elsewhere, or which store none. */
const ELSEWHERE: Partial<Record<CallId, string>> = {
  'desk.snooze': 'its lines are no records (tests/api/desk.test.ts)',
  'notice.stopMail': 'its link says whose and which (tests/api/news.test.ts)',
  'desk.handOver': 'its lines are no records (tests/api/desk.test.ts)',
  'activity.duplicate': 'it says which activity is copied (tests/api/activity.test.ts)',
  'session.signIn': 'it opens a session (tests/api/session.test.ts)',
  'session.forgot': 'it mails a link (tests/api/password.test.ts)',
  'session.setPassword': 'a password is kept as a hash (tests/api/password.test.ts)',
  'session.setPasswordSettlers': 'a password is kept as a hash (tests/api/password.test.ts)',
  'session.register': 'a password is kept as a hash (tests/api/invite.test.ts)',
  'user.resendActivation': 'the address says who is meant',
  'project.setStatus': 'the one field is the step it takes (tests/api/project.test.ts)',
  'project.assignPartner': 'both fields say who is meant (tests/api/quote.test.ts)',
  'project.assign': 'it decides (tests/api/price.test.ts)',
  'project.ask': 'its answer has no note (tests/api/ask.test.ts)',
  'message.send': 'its partner must be invited (tests/api/conversation.test.ts)',
  'invitation.ask': 'as message.send',
  'project.approve': 'it decides (tests/api/price.test.ts)',
  'project.reject': 'it decides (tests/api/price.test.ts)',
  'campaign.authorize': 'it decides (tests/api/price.test.ts)',
  'project.mailPartner': 'both fields say who is meant (tests/api/quote.test.ts)',
  'project.mailPartnerNow': 'both fields say who is meant (tests/api/quote.test.ts)',
  'campaign.mailPartner': 'both fields say who is meant (tests/api/quote.test.ts)',
  'project.quoteOpened': 'it says which project is meant',
  'project.askQuote': 'it is mailed (tests/api/quote-reads.test.ts)',
  'project.removeTeam': 'it says which project is meant',
  'user.inviteMany': 'as user.invite (tests/api/invite.test.ts)',
  'team.createOlder': 'as team.create',
  'team.addUsers': 'its fields say who and which team are meant (tests/api/team.test.ts)',
  'team.removeUsers': 'as team.addUsers',
  'team.removeUsersOlder': 'as team.addUsers',
  'team.addProjects': 'as team.addUsers',
  'team.removeProjects': 'as team.addUsers',
  'user.setTeams': 'its fields say who and which teams are meant (tests/api/team.test.ts)',
  'client.removeUser': 'both fields say who is meant (tests/api/leaving.test.ts)',
  'note.remove': 'it says which note is meant (tests/api/quote.test.ts)',
  'file.detach': 'it says which file is meant',
  'request.check': 'it keeps nothing (tests/api/quote.test.ts)',
  'category.check': 'it ticks one of a list (tests/api/category.test.ts)',
  'category.set': 'it names a whole list (tests/api/category.test.ts)',
  'service.addUser': 'its fields say who and which are meant (tests/api/service.test.ts)',
  'service.removeUser': 'as service.addUser',
  'service.setUsers': 'as service.addUser',
  'filter.save': 'its fields are held together (tests/api/visit-filter.test.ts)',
  'target.check': 'it keeps nothing (tests/api/target.test.ts)',
  'target.copy': 'both fields say which activities are meant (tests/api/target.test.ts)',
  'visit.ingest': 'a visit’s fields are held one by one (tests/api/visit-intake.test.ts)',
  'runtime.putBack': 'its one field lets a full quota pass (tests/api/quota.test.ts)',
  'quota.create': 'its targets must add up (tests/api/quota.test.ts)',
  'quota.edit': 'as quota.create',
  'quota.cells': 'its fields are within a list (tests/api/quota.test.ts)',
  'quota.live': 'it says which plan is meant',
  'quota.end': 'it says which plan is meant',
  'entryLink.create': 'its exits and lists are held one by one (tests/api/field-sessions.test.ts)',
  'entryLink.edit': 'as entryLink.create',
  'entryLink.rotate': 'it says whose secret',
  'entryLink.test': 'it changes nothing',
  'fieldSession.outcome': 'it ends a session (tests/api/field-sessions.test.ts)',
  'fieldSession.seen': 'it says that somebody is still there',
  'quota.admit': 'it decides (tests/api/quota.test.ts)',
  'runtime.ingest': 'a respondent’s fields are held one by one (tests/api/figures.test.ts, tests/unit/respondent.test.ts)',
  'runtime.correct': 'as runtime.ingest (tests/api/correct.test.ts)',
  'report.save': 'a column’s fields are held one by one (tests/api/report.test.ts)',
  'report.datamap': 'it starts a job (tests/api/report.test.ts)',
  'report.export': 'it starts a job (tests/api/report.test.ts)',
  'question.reorder': 'its ids are an order (tests/api/questions.test.ts)',
  'survey.applyComparison': 'it names the comparison (tests/api/refresh-questions.test.ts)',
  'award.create': 'its addresses are held one by one (tests/api/vip.test.ts)',
  'notice.mark': 'it says which are meant (tests/api/notification.test.ts)',
  'location.find': 'it keeps nothing (tests/api/location.test.ts)',
  'location.addToGroups': 'both fields say which are meant (tests/api/location-group.test.ts)',
  'location.merge': 'its fields say which are meant (tests/api/location.test.ts)',
  'group.addLocations': 'its fields say which are meant (tests/api/location-group.test.ts)',
  'group.removeLocations': 'as group.addLocations',
  'group.moveLocations': 'as group.addLocations',
  'group.merge': 'its fields say which are meant (tests/api/location-group.test.ts)',
  'activity.linkGroups': 'its fields say which are meant (tests/api/location-group.test.ts)',
  'activity.unlinkGroup': 'as activity.linkGroups',
  'usage.record': 'it is written to the log alone',
  'content.review': 'its fields are held together (tests/api/content.test.ts)',
  'content.reviewMany': 'as content.review',
  'content.rotate': 'it turns by steps (tests/api/content.test.ts)',
  'content.download': 'it says which items are meant (tests/api/content.test.ts)',
  'import.process': 'its fields are held together (tests/api/import.test.ts)',
  'import.map': 'as import.process',
  'import.correct': 'it says which cell is meant (tests/api/import.test.ts)',
  'import.run': 'it starts a job (tests/api/import.test.ts)',
  'import.errors': 'it makes a link (tests/api/import.test.ts)',
  'reward.importErrors': 'it makes a link (tests/api/reward.test.ts)',
  'service.readVenues': 'it stores nothing (tests/api/venue-file.test.ts)',
  'reward.upload': 'its fields are held together (tests/api/reward.test.ts)',
  'reward.copy': 'it says which are meant (tests/api/reward.test.ts)',
  'import.undo': 'it says which file is meant (tests/api/import.test.ts)',
  'content.import': 'an act’s fields are held one by one (tests/api/content.test.ts)',
}
const EDITS = WRITES.filter((id) => rowOf(id).reads && !ELSEWHERE[id])
const MAKES = WRITES.filter((id) => !EDITS.includes(id) && !ELSEWHERE[id] && fieldsOf(id).length)

test('every field of every write is in a table here, and no table names a missing one', () => {
  expect(Object.keys(ELSEWHERE).filter((id) => !WRITES.includes(id as CallId))).toEqual([])
  for (const table of [OF, REFUSED])
    for (const [id, fields] of Object.entries(table))
      for (const name of Array.isArray(fields) ? fields : Object.keys(fields ?? {}))
        expect([id, name, fieldsOf(id as CallId).includes(name)]).toEqual([id, name, true])
})

/** The fields of these calls that may be changed. */
const allowedOf = (ids: readonly CallId[]) =>
  ids.flatMap((id) =>
    fieldsOf(id)
      .filter((name) => !REFUSED[id]?.includes(name))
      .map((name) => [id, name] as const),
  )

describe('an edit of one field', () => {
  const all = allowedOf(EDITS)
  /** Version and allowed actions follow from other fields. */
  const rest = (record: Record<string, unknown>) => {
    const { lock_version: _, updated_at: __, allowed_actions: ___, refused_actions: ____, ...fields } = record
    return JSON.stringify(fields).replace(/"(url|thumbnail)":"\/[^"]*"/g, '')
  }

  testAll('shows in the record', all, async ([id, name]) => {
    const made = await example(id)
    const { value, more } = await sent(id, name, made)
    const before = await recordOf(id, made)
    const input = Object.fromEntries(Object.entries(made.input).filter(([field]) => HOW.has(field) || WHICH[id]?.includes(field)))
    const answer = await sendExample(id, { ...made, input }, more)
    expect(answer.status, answer.text).toBe(200)
    const after = await recordOf(id, made)
    expect(rest(after)).not.toBe(rest(before))
    // The company's name depends on the client; lists of files are returned as links, clients with their names.
    // A new email waits as pending_email.
    if (Object.hasOwn(after, name) && !/^company_name$|^clients$|^email$|_attributes$/.test(name))
      expect([value, same(value, after[name])]).toEqual([value, true])
  })
})

const refused = (Object.entries(REFUSED) as [CallId, readonly string[]][]).flatMap(([id, names]) =>
  names.map((name) => [id, name] as const),
)
// Runs before records are created, because exports continue in the background, and a refusal leaves no trace.
testAll('a field that must match the record is refused by name, and nothing is written', refused, async ([id, name]) => {
  const made = await example(id)
  const { more } = await sent(id, name, made)
  const before = await everything(app)
  const answer = await sendExample(id, made, more)
  expect([answer.status, Object.keys(answer.body.fields ?? {})], answer.text).toEqual([422, [name]])
  expect(await everything(app)).toEqual(before)
})

describe('a new record', () => {
  const all = allowedOf(MAKES)
  /** Everything stored except history, undo and idempotency records, which hold the input either way. */
  const snapshot = () => rowTexts(app, /^(history|change_sets|events|attempts|tries)$/)
  /** The rows that are new or changed; unwritten tables return the same list. */
  const freshIn = (before: Map<string, readonly string[]>, after: Map<string, readonly string[]>) =>
    [...after].flatMap(([table, rows]) => {
      const was = before.get(table)!
      if (was === rows) return []
      const known = new Set(was)
      return rows.filter((row) => !known.has(row)).map((row) => `${table} ${row}`)
    })
  /** The spellings that a value may have in a row. */
  const spelled = (value: unknown): string[] => {
    if (Array.isArray(value))
      return [
        JSON.stringify(value.join(',')),
        JSON.stringify(value).replaceAll('"', '\\"'),
        `:${value.join('')},`,
        `:${value.join('')}}`,
      ]
    if (typeof value === 'object') return [JSON.stringify(JSON.stringify(value)).slice(1, -1)]
    if (typeof value === 'boolean') return [value ? ':1' : ':0']
    return typeof value === 'number' ? [`:${value},`, `:${value}}`] : [JSON.stringify(value).slice(1, -1)]
  }

  testAll('keeps each of its fields', all, async ([id, name]) => {
    const made = await example(id)
    const { value, more, keptAs } = await sent(id, name, made)
    const before = await snapshot()
    const { ids: _, ...input } = made.input
    const answer = await sendExample(id, { ...made, input: withoutBlank({ ...input, ...more }) })
    expect(answer.status, answer.text).toBe(200)
    const fresh = freshIn(before, await snapshot())
    expect(
      fresh.some((row) => (keptAs ? [keptAs] : spelled(value)).some((text) => row.includes(text))),
      `${name} ${JSON.stringify(value)} in\n${fresh.join('\n')}`,
    ).toBe(true)
  })
  const withoutBlank = (input: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
})
