import type { z } from 'zod'
import type { CallId, calls, Output } from '../../../contract/calls.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import { readStatus, SPELLING, type Status, statusesOf } from '../../../contract/status.ts'
import { contentIds, contentItem, contentSummary } from './content.ts'
import { doneJob, jobOf } from './jobs.ts'
import {
  byId,
  catalogueRow,
  catalogueTotals,
  clientRow,
  entryRow,
  type Marketplace,
  noteRow,
  type Project,
  partnerRow,
  projectDetail,
  projectRow,
  surveyOf,
  userRow,
} from './marketplace.ts'
import { placesFound, pointsOf } from './places.ts'
import { addRows, countsOf, freeActivities, inUse, questionRow, surveyRow } from './questions.ts'
import { invite, invitedTo, projectQuote, remindable } from './quote.ts'
import { audienceOf, saveColumns, staleRows } from './reports.ts'
import { campaignDetail, DMAS, makeCampaign, requestInfo, requestRow, uploaded } from './requests.ts'
import { baseOf, chartOf, crosstabOf, type FakeQuestion, openAnswersOf, questionHeads } from './responses.ts'
import { memberRow, teamRow, teamsOf, withEffect } from './teams.ts'
import {
  brandRow,
  CATEGORIES,
  countsOfVisits,
  daysOfVisits,
  filterRow,
  giveServices,
  placesOfVisits,
  serviceOf,
  serviceRow,
  servicesOf,
} from './visits.ts'
import { deliveryRows, deliveryText, webhookRow } from './webhooks.ts'

/** A token as its list shows it. */
const token = (given: { id: number; name: string; scopes?: string[] }): Output<'token.list'>['data'][number] => ({
  ...{ kind: 'personal', status: 'valid', owner: 'Sara Miller', owner_id: 1, scopes: ['*:read'] },
  ...{ clients: [], projects: [], surveys: [], services: [], all_services: false, reach: 'everything, for ever' },
  ...{ last_used_at: null, last_address: '', expires_at: null, created_at: '2026-11-20T15:00:00.000Z' },
  ...{ allowed_actions: ['token.revoke'], refused_actions: {} },
  ...given,
})

/** An error as the server sends it. */
export class FakeError extends Error {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  constructor(status: number, code: string, message: string, more: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.status = status
    this.body = { message, code, fields: {}, ...more }
  }
}

/** A call's input, parsed by its schema in the contract. */
type Read<Id extends CallId> = z.output<(typeof calls)[Id]['input']>
/** A file of a multipart body. */
export interface SentFile {
  name: string
  size: number
}
/** Handlers by the calls table; a call without one fails the test that makes it. */
export type Answers = {
  readonly [Id in CallId]?: (input: Read<Id>, market: Marketplace, files: readonly SentFile[]) => Output<Id>
}

interface Paged {
  search: string
  page: number
  per_page: number
  column: string
  order: 'asc' | 'desc'
}
/** The columns of an upload, from its mapping or its headings. */
function checkedColumns(mapping: string | undefined): Output<'reward.upload'>['data']['check']['columns'] {
  const mapped = mapping ? (JSON.parse(mapping) as ('email' | 'amount' | 'note' | '')[]) : (['email', 'amount', ''] as const)
  return ['Who', 'Amount', 'Batch'].map((header, at) => ({ header, as: mapped[at]! }))
}

/** Sorts and pages the results of a search. */
function pageOf<T extends object>(all: readonly T[], { search, page, per_page, column, order }: Paged) {
  const found = all.filter((one) => JSON.stringify(one).toLowerCase().includes(search.toLowerCase()))
  const value = (one: T) => (one as Record<string, unknown>)[column] as string | number
  if (column) found.sort((a, b) => (value(a) < value(b) ? -1 : 1) * (order === 'desc' ? -1 : 1))
  return { data: found.slice((page - 1) * per_page, page * per_page), count: found.length, page }
}

/** Returns the record, or throws the server's 404. */
function found<T extends { id: number }>(all: readonly T[], id: number): T {
  const one = byId(all, id)
  if (!one) throw new FakeError(404, 'not_found', 'This doesn’t exist, or you don’t have access to it.')
  return one
}

/** Throws for a write of an older version. */
function unchanged<T extends { lock_version: number }>(one: T, seen: number | undefined, theirs: object): void {
  if (seen !== undefined && seen !== one.lock_version)
    throw new FakeError(409, 'stale', 'This was changed by someone else in the meantime.', { current: theirs, theirs })
  one.lock_version++
}

const listed = (market: Marketplace, input: Paged & { status: string }) => {
  const wanted: readonly Status[] = input.status === 'all' ? statusesOf('all') : statusesOf(input.status.toLowerCase())
  const rows = market.projects.filter((one) => wanted.includes(one.status))
  const { data, ...rest } = pageOf(
    rows.map((one) => ({ id: one.id, name: one.name, client_name: found(market.clients, one.client_id).name })),
    input,
  )
  return { data: data.map(({ id }) => projectRow(market, found(market.projects, id))), ...rest }
}
const mapped = (market: Marketplace, project: Project, message: string) => ({ data: projectDetail(market, project), message })

/** The Overview of a project without responses. */
function overviewOf(market: Marketplace, project: Project): Output<'runtime.overview'>['data'] {
  const { id, name, status, ordered, delivered, expected, pacing, start_dt, end_dt } = projectRow(market, project)
  const none = { entrants: 0, completes: 0, terminates: 0, overquota: 0, partials: 0 }
  return {
    summary: {
      ...{ name, status, ordered, delivered, expected, pacing, start_dt, end_dt },
      ...none,
      project_id: id,
      survey_id: null,
      pacing_color: 'Gray',
      pacing_state: 'running',
    },
    ...{ age: [], gender: [], hhi: [], ethnicity: [], marital_status: [], children: [], geoaddress: [], delivery_trend: [] },
    funnel: {
      ...{ entrants: 0, completes_value: 0, terminates_value: 0, overquota_value: 0, partials_value: 0 },
      ...{ incidence: null, drop_off: null, loi_minutes: null, left_open: 0 },
    },
    // Not zero, so that every chart is shown.
    total: 1,
    ...market.figures[id],
  }
}
/** The question, unless it is set to fail. */
function unbroken(broken: readonly number[], question: FakeQuestion): FakeQuestion {
  if (broken.includes(question.id)) throw new FakeError(500, 'fault', 'The figures can’t be counted.')
  return question
}
/** An item of content, or the server's 404. */
function item(market: Marketplace, id: number) {
  const one = contentItem(market.content, id, market.me.role)
  if (!one) throw new FakeError(404, 'not_found', `Item ${id} doesn’t exist, or you don’t have access to it.`)
  return one
}
/** Writes a review for items with another one. */
function reviewed({ content }: Marketplace, id: number, review: 'open' | 'accepted' | 'rejected', review_reason: string): void {
  const before = content.changed[id]
  content.changed[id] = { ...before, review, review_reason, lock_version: (before?.lock_version ?? 1) + 1 }
}
/** The only line of a record's history. */
const historyLine = (action: string, words: string) => ({
  ...{ id: 1, at: '2026-11-20T15:00:00.000Z', action, words, actor_name: 'Sara Miller' },
  ...{ before: { name: 'Alder' }, after: { name: 'Alder Coffee' } },
})
const items = (count: number) => `${count} ${count === 1 ? 'item' : 'items'}`
const REVIEWED = { open: 'new again', accepted: 'accepted', rejected: 'rejected' } as const

const FIELDS = [
  'parent_id',
  'stored_status',
  'status_shown',
  'cost_cents',
  'quote_valid_until',
  'pending_rewards',
  'lock_version',
] as const

export const ANSWERS: Answers = {
  'notice.unread': (_, { notices }) => ({ data: { unread: notices.filter(({ status }) => status === 'unread').length } }),
  'notice.list': (input, { notices }) => {
    const unreadFirst = [...notices].sort((a, b) => b.status.localeCompare(a.status) || b.id - a.id)
    return pageOf(unreadFirst, { ...input, column: '' })
  },
  'desk.list': (input) => pageOf([] as Output<'desk.list'>['data'], { ...input, column: '' }),
  'desk.count': () => ({ data: { open: 0, settled_today: 0, changes_at: '2027-01-01T05:00:00.000Z' } }),
  'notice.mark': ({ ids = [], all, read }, market) => {
    const status = read ? ('read' as const) : ('unread' as const)
    market.notices = market.notices.map((one) => (all || ids.includes(one.id) ? { ...one, status } : one))
    const unread = market.notices.filter((one) => one.status === 'unread').length
    return { data: { marked: 1, unread }, message: 'One notification marked.' }
  },
  'session.signIn': (_, { me }) => ({ data: me }),
  'session.signOut': () => ({ success: true, message: 'Signed out' }),
  'session.validate': (_, { me }) => ({ success: true, data: me }),
  'organization.config': () => ({
    data: {
      name: 'Fieldwork',
      product: 'Fieldwork',
      support_mail: 'support@mail.test',
      support_team: '',
      map_style_url: null,
      time_zone: 'America/New_York',
      analytics: false,
    },
  }),
  'account.get': (_, { me }) => ({ data: me }),
  'account.edit': ({ preferences, lock_version: _, ...profile }, market) => {
    market.me = { ...market.me, ...profile, preferences: { ...market.me.preferences, ...preferences } }
    return { data: market.me, message: 'Saved.' }
  },
  'account.sessions': () => ({ data: [], count: 0, page: 1 }),
  'key.create': ({ name }) => ({
    data: {
      ...{
        id: 1,
        name,
        key: 'fw_1_secret',
        created_by: 1,
        created_by_name: 'Sara Miller',
        created_at: '2026-11-20T15:00:00.000Z',
      },
      ...{ last_used_at: null, last_address: '', revoked_at: null, expires_at: null, projects: [], surveys: [], services: [] },
      ...{ all_services: false, reads: false, reach: 'every survey, for ever' },
    },
    message: 'API key created.',
  }),
  'key.list': () => ({ data: [], count: 0, page: 1 }),
  'token.list': () => ({ data: [token({ id: 7, name: 'Nightly export' })], count: 1, page: 1 }),
  'token.create': ({ name, scopes }) => ({
    data: { ...token({ id: 8, name, scopes: [...scopes] }), token: 'fwt_secret' },
    message: 'Copy the token now. It’s shown once.',
  }),
  'token.revoke': () => ({ message: 'The token is revoked.' }),
  'webhook.list': () => ({ data: [webhookRow({ id: 5, name: 'Delivery board' })], count: 1, page: 1 }),
  'webhook.get': ({ id }) => ({ data: webhookRow({ id, name: 'Delivery board' }) }),
  'webhook.create': ({ name, url, nouns }) => ({
    data: { ...webhookRow({ id: 6, name, url, nouns }), signing_secret: 'whsec_c2VjcmV0' },
    message: 'Copy the secret now. It’s shown once.',
  }),
  'webhook.test': ({ id }) => ({ data: deliveryRows(id)[0]!, message: 'A test is on its way.' }),
  'webhook.replayFailed': () => ({ replayed: 1, message: '1 message is on the way again.' }),
  'delivery.list': ({ webhook_id }) => ({ data: deliveryRows(webhook_id ?? 5), count: 2, page: 1 }),
  'delivery.get': ({ id }) => ({ data: deliveryText(id) }),
  'delivery.replay': ({ id }) => ({ data: deliveryRows(5).find((row) => row.id === id)!, message: 'It’s on its way again.' }),
  'view.list': () => ({ data: [], count: 0 }),
  'job.list': ({ status }, { me }) => {
    const data = status === 'done' ? [{ ...doneJob(me, 1), download: '/files/9' }] : []
    return { data, count: data.length, page: 1 }
  },
  'job.link': ({ id }) => ({ data: { url: `/files/${id}`, name: `export-${id}.csv`, expires_at: '2026-03-28T16:15:00.000Z' } }),
  'job.get': ({ id }, { me }) => ({ data: doneJob(me, id) }),

  'palette.index': (_, market) => {
    const admin = market.me.role === 'admin'
    const { projects, clients, partners, people } = market
    const of = (id: number | null) => (id ? (byId(clients, id)?.name ?? '') : '')
    return {
      cursor: 0,
      full: true,
      drop: [],
      put: [
        ...projects.map((one): [string, number, string, string] => ['project', one.id, one.name, of(one.client_id)]),
        ...clients.map((one): [string, number, string, string] => ['client', one.id, one.name, '']),
        ...market.brands.map((one): [string, number, string, string] => ['brand', one.id, one.name, '']),
        ...servicesOf(market).map(([brand, one]): [string, number, string, string] => ['service', one.id, one.name, brand.name]),
        ...(admin ? partners : []).map((one): [string, number, string, string] => ['partner', one.id, one.name, '']),
        ...(admin ? people : []).map((one): [string, number, string, string] => [
          'user',
          one.id,
          `${one.first_name} ${one.last_name}`,
          of(one.client_id),
        ]),
      ],
    }
  },
  'list.selection': ({ ids }, market) => {
    const rows = market.projects.filter(({ id }) => !ids || ids.includes(id)).map((one) => projectRow(market, one))
    return {
      kind: 'project',
      fields: [...FIELDS],
      rules: rows.map((row) => [row.allowed_actions, row.refused_actions]),
      rows: rows.map((row, at) => [row.id, row.name, at, ...FIELDS.map((field) => row[field])]),
      count: rows.length,
      next: null,
    }
  },

  'location.list': (input, { places }) => pageOf(placesFound(places, input), { ...input, search: '' }),
  'location.points': ({ ids, ...input }, { places }) => {
    const wanted = ids.split(',').map(Number)
    return pointsOf(placesFound(places, input).filter(({ id }) => !ids || wanted.includes(id)))
  },
  'location.get': ({ id }, { places }) => ({ data: found(places, id) }),
  'location.edit': ({ id, lock_version, name, address, city, state, zip }, { places }) => {
    const one = found(places, id)
    unchanged(one, lock_version, one)
    for (const [field, value] of Object.entries({ name, address, city, state, zip }))
      if (value !== undefined) Object.assign(one, { [field]: value })
    return { data: one, message: 'Location updated.', warnings: [], same: [] }
  },
  'location.remove': ({ id, ids = id ? [id] : [] }, market) => {
    market.places = market.places.filter((one) => !ids.includes(one.id))
    return { data: { locations: ids.length, groups: 5, activities: 2 }, message: `${ids.length} locations deleted.` }
  },
  'group.list': () => ({ data: [], count: 0, page: 1 }),
  'project.list': (input, market) => listed(market, input),
  'project.listAll': (input, market) => listed(market, input),
  'project.get': ({ id }, market) => ({ data: projectDetail(market, found(market.projects, id)) }),
  'project.teams': () => ({ data: [], count: 0, page: 1 }),
  'project.attributes': ({ id }, market) => ({
    data: [{ key: 'notes', label: 'Notes', value: market.notes.filter(({ project_id }) => project_id === id).length }],
  }),
  'project.waiting': () => ({ data: [], count: 0 }),
  'project.edit': ({ id, name, description, goal, lock_version }, market) => {
    const project = found(market.projects, id)
    unchanged(project, lock_version, { name: project.name })
    Object.assign(project, { name: name ?? project.name, description: description ?? project.description })
    if (goal) project.ordered = Number(goal)
    return mapped(market, project, 'Project updated')
  },
  'project.create': ({ name, client_id, goal }, market) => {
    const [first] = market.projects
    const made = {
      ...first!,
      id: ++market.last,
      name,
      client_id,
      ordered: goal as number,
      status: 'requirements' as const,
      partners: [],
    }
    market.projects.unshift(made)
    return mapped(market, made, 'Project created')
  },
  'request.create': ({ name, client_id, goal }, market) => {
    const made = {
      ...market.projects[0]!,
      id: ++market.last,
      name,
      client_id,
      ordered: goal,
      status: 'requirements' as const,
      partners: [],
    }
    market.projects.unshift(made)
    return { ...mapped(market, made, 'Request created'), warnings: [] }
  },
  'project.createChild': ({ project_id, siblings }, market) => {
    found(market.projects, project_id)
    const child_project_ids = [0, ...siblings].map(() => ++market.last)
    return { data: { child_project_id: child_project_ids[0]!, child_project_ids }, message: 'Project created' }
  },
  'file.assets': () => ({ data: [], count: 0, page: 1, page_size: 5, survey_url: '' }),
  'file.addAssets': ({ assets }, market) => ({
    data: assets.map(({ file_id }) => ({ ...uploaded(market, { name: 'brief.pdf', size: 4 }), id: file_id })),
    message: 'Asset added',
  }),
  'project.setStatus': ({ id, status }, market) => {
    const project = found(market.projects, id)
    project.status = readStatus(String(status)) ?? project.status
    return mapped(market, project, `Project is ${SPELLING[project.status].shown}`)
  },
  'project.setCost': ({ id, cost, cost_cents, valid_until, hold }, market) => {
    const project = found(market.projects, id)
    if (!hold && project.status !== 'requirements') project.status = 'submit_approval'
    project.cost_cents = cost_cents ?? Math.round(cost! * 100)
    project.quote_valid_until = valid_until ?? null
    return mapped(market, project, 'The cost was set')
  },
  'project.goLive': ({ id }, market) => {
    const project = found(market.projects, id)
    project.status = 'active'
    return mapped(market, project, 'Project is Live')
  },
  'project.assignPartner': ({ project_id, partner_id }, market) => {
    const project = found(market.projects, project_id)
    project.partners.push(found(market.partners, partner_id).id)
    return mapped(market, project, 'Partner invited')
  },
  'project.notifyCostNow': () => ({ message: 'Email to ana@mail.test is on its way' }),
  'project.quote': ({ id }, market) => ({ data: projectQuote(market, found(market.projects, id)) }),
  'project.approve': ({ project_id }, market) => {
    const project = found(market.projects, project_id)
    project.status = 'approved'
    return mapped(market, project, 'Quote approved')
  },
  'invitation.create': ({ id, partner_ids, message, answer_by, mail }, market) => {
    const at = mail ? new Date().toISOString() : null
    const made = invite(market, found(market.projects, id), partner_ids, {
      message,
      answer_by: answer_by ?? null,
      mailed_at: at,
    })
    const done = made.map(({ partner_id }) => ({ partner_id, name: found(market.partners, partner_id).name }))
    return { data: { done, skipped: [] }, message: `${done.length} partners invited` }
  },
  'invitation.remind': ({ id, partner_ids }, market) => {
    const made = remindable(market, found(market.projects, id), partner_ids)
    for (const { partner_id } of made) invitedTo(market, id, partner_id).reminded_at = new Date().toISOString()
    const done = made.map(({ partner_id }) => ({ partner_id, name: found(market.partners, partner_id).name }))
    return { data: { done, skipped: [] }, message: `${done.length} partners reminded` }
  },
  'invitation.revoke': ({ id, partner_id, reason }, market) => {
    Object.assign(invitedTo(market, id, partner_id), { revoked_at: new Date().toISOString(), revoke_reason: reason })
    return { message: 'The invitation is revoked' }
  },
  'invitation.link': ({ id, partner_id, renew }, market) => {
    invitedTo(market, id, partner_id)
    const url = `https://fieldwork.test/survey-feasibility/feasibility/${id}/${partner_id}?token=${renew ? 'new' : 'mailed'}`
    return { data: { url, expires_at: '2026-12-24T12:00:00.000Z' }, message: 'Copy the link now. It’s shown once.' }
  },
  'proffer.create': (given, market) => {
    const { campaign_id, partner_id, lock_version } = given
    const invites = invitedTo(market, campaign_id, partner_id!)
    if (invites.answer && lock_version !== invites.answer.lock_version)
      throw new FakeError(409, 'already_submitted', 'This request has been answered already.')
    invites.answer = {
      id: invites.answer?.id ?? ++market.last,
      yes: given.fill_requirements === 'Yes',
      completes: given.feasible_completes ?? null,
      cpi_cents: given.cpi_cents ?? null,
      field_days: given.field_days ?? null,
      valid_until: given.valid_until ?? null,
      reason: given.reason,
      lock_version: (invites.answer?.lock_version ?? 0) + 1,
    }
    const { answer } = projectQuote(market, found(market.projects, campaign_id)).rounds[0]!.invitations.find(
      (one) => one.partner_id === partner_id,
    )!
    return { data: answer!, message: 'Answer sent', warnings: [] }
  },
  'project.clone': ({ id }, market) => {
    const project = found(market.projects, id)
    const copy = { ...project, id: ++market.last, name: `${project.name} (copy)`, status: 'requirements' as const, partners: [] }
    market.projects.unshift(copy)
    return { data: { project_id: copy.id }, message: 'Project cloned' }
  },

  'report.questions': ({ project_id }, market) => {
    const project = found(market.projects, project_id!)
    const { columns, saved } = market.reports
    return {
      data: columns,
      count: columns.length,
      page: 1,
      project_id: project.id,
      project_name: project.name,
      client_id: project.client_id,
      client_name: found(market.clients, project.client_id).name,
      saved,
      columns: columns.length,
      included: columns.filter(({ should_include }) => should_include === 1).length,
      rows: 1240,
      bytes: 310_000,
      has_survey: true,
      missing: [],
    }
  },
  'report.templates': (_, { reports }) => ({ data: reports.templates, count: reports.templates.length, page: 1 }),
  'report.save': ({ questions }, { reports }) => {
    const rows = staleRows(reports, questions)
    if (rows.length) throw new FakeError(409, 'stale', 'Someone else changed this report meanwhile.', { rows })
    const data = saveColumns(reports, questions)
    return { data, saved: data.length, message: data.length === 1 ? '1 column saved' : `${data.length} columns saved` }
  },
  'landing.get': ({ cid }, market) => ({
    data: { ...market.reports.landing, cid, project_id: cid, project_name: found(market.projects, cid).name },
  }),
  'landing.save': ({ cid, lock_version: _, ...texts }, market) => {
    const { landing, away } = market.reports
    if (away) throw new FakeError(503, 'away', away, { response: away })
    Object.assign(landing, texts, { lock_version: landing.lock_version + 1 })
    const { name } = found(market.projects, cid)
    return { data: { ...landing, cid, project_id: cid, project_name: name }, message: 'Landing Page Updated' }
  },
  'audience.get': ({ projectId }, market) => ({ data: audienceOf(market.reports, found(market.projects, projectId)) }),
  'audience.edit': ({ projectId, lock_version: _, ...given }, market) => {
    Object.assign(market.reports.audience, given)
    market.reports.audience.lock_version++
    return { data: audienceOf(market.reports, found(market.projects, projectId)), message: 'Switched' }
  },

  'note.list': ({ id, search, page, per_page }, market) =>
    pageOf(
      market.notes.filter(({ project_id }) => project_id === id).map((note) => noteRow(market, note)),
      { search, page, per_page, column: '', order: 'asc' },
    ),
  'note.create': ({ project_id, note }, market) => {
    const made = { id: ++market.last, project_id, note, created_at: new Date().toISOString(), lock_version: 0 }
    market.notes.unshift(made)
    return { data: noteRow(market, made), message: 'Note created' }
  },

  'client.list': (input, market) =>
    pageOf(
      market.clients.map((one) => clientRow(market, one)),
      input,
    ),
  'client.doubles': (_, { partners }) => {
    const alike = [...Map.groupBy(partners, ({ name }) => name).values()].filter(({ length }) => length > 1)
    const data = alike.map((rows) => ({
      noun: 'partner',
      name: rows[0]!.name,
      ids: rows.map(({ id }) => id),
      client_id: null,
    }))
    return { data, count: data.length }
  },
  'client.dropdown': (_, { clients }) => ({
    data: clients.map(({ id, name }) => ({ id, name })),
    count: clients.length,
    page: 1,
  }),
  'client.get': ({ id }, market) => ({ data: clientRow(market, found(market.clients, id)) }),
  'client.create': ({ name }, market) => {
    const client = { id: ++market.last, name, lock_version: 0 }
    market.clients.push(client)
    return { data: clientRow(market, client), message: 'Client created.' }
  },
  'client.edit': ({ id, name, lock_version }, market) => {
    const client = found(market.clients, id)
    unchanged(client, lock_version, clientRow(market, client))
    client.name = name
    return { data: clientRow(market, client), message: 'Client updated.' }
  },

  'partner.list': (input, market) =>
    pageOf(
      market.partners.map((one) => partnerRow(market, one)),
      input,
    ),
  'partner.listOlder': (_, market) => {
    const data = market.partners.map((one) => partnerRow(market, one))
    return { data: { data, count: data.length } }
  },
  'partner.dropdown': (_, { partners }) => ({
    data: partners.map(({ id, name }) => ({ id, name })),
    count: partners.length,
    page: 1,
  }),
  'partner.create': ({ name }, market) => {
    const taken = market.partners.find((one) => one.name.toLowerCase() === name.toLowerCase())
    const sentence = `A partner named ${taken?.name} exists`
    if (taken) throw new FakeError(422, 'invalid', sentence, { fields: { name: sentence }, id: taken.id })
    const partner = { id: ++market.last, name, lock_version: 1 }
    market.partners.push(partner)
    return { data: partnerRow(market, partner), message: 'Partner created.' }
  },
  'partner.merge': ({ id, into_id }, market) => {
    const [gone, stays] = [found(market.partners, id), found(market.partners, into_id)]
    const moved = market.projects.filter((one) => one.partners.includes(id))
    for (const one of moved) one.partners = one.partners.map((partner) => (partner === id ? into_id : partner))
    market.partners = market.partners.filter((one) => one !== gone)
    return { data: partnerRow(market, stays), moved: { invitations: moved.length, answers: 0 }, message: 'Merged.' }
  },
  'proffer.list': ({ page, per_page }) => ({ data: { count: 0, page, per_page, proffers: [] } }),
  'partner.get': ({ id }, market) => ({ data: partnerRow(market, found(market.partners, id)) }),

  'user.list': (input, market) =>
    pageOf(
      market.people.map((one) => userRow(market, one)),
      input,
    ),

  'user.get': ({ id }, market) => ({ data: userRow(market, found(market.people, id)) }),
  'user.inviteMany': ({ people }) => ({
    data: people.map(({ email }) => ({ email, user_id: 900, invited: true, said: 'Invited' })),
    message: `${people.length} invitations sent.`,
  }),
  'user.setTeams': ({ user_id, join_ids, leave_ids }, market) => {
    const of = (ids: readonly number[]) => ids.map((id) => found(market.teams, id))
    const [joined, left] = [of(join_ids), of(leave_ids)]
    const effect = withEffect(market, () => {
      for (const team of joined) team.users.push(user_id)
      for (const team of left) team.users = team.users.filter((id) => id !== user_id)
    })
    const named = (teams: readonly { id: number; name: string }[]) => teams.map(({ id, name }) => ({ id, name }))
    return { message: 'Changed.', data: { user_id, joined: named(joined), left: named(left), clients: [] }, effect }
  },

  'team.list': ({ client_id, ...input }, market) =>
    pageOf(
      teamsOf(market)
        .filter((team) => client_id === undefined || team.client_id === client_id)
        .map((team) => teamRow(market, team)),
      input,
    ),
  'team.get': ({ id }, market) => ({ data: teamRow(market, found(teamsOf(market), id)) }),
  'team.users': ({ id, ...input }, market) => {
    const team = found(teamsOf(market), id)
    const rows = team.users.map((user) => memberRow(market, team, found(market.people, user)))
    return { ...pageOf(rows, input), project: null }
  },
  'team.grid': () => ({ data: { users: [], projects: [], cells: [], users_count: 0, projects_count: 0 } }),
  'group.history': ({ page }) => ({ data: [], count: 0, page }),
  'team.history': ({ page }) => {
    const line = historyLine('team.restore', 'restored the team')
    return { data: [{ ...line, before: { deleted_at: '2026-11-20T10:00:00.000Z' }, after: { deleted_at: '' } }], count: 1, page }
  },
  'brand.history': ({ page }) => ({ data: [historyLine('brand.edit', 'edited the brand')], count: 1, page }),
  'service.history': ({ page }) => ({ data: [historyLine('service.edit', 'edited the service')], count: 1, page }),
  'team.removeUsers': ({ team_id, user_id, user_ids = [] }, market) => {
    const team = found(teamsOf(market), team_id)
    const gone = [...user_ids, ...(user_id ? [user_id] : [])]
    const effect = withEffect(market, () => {
      team.users = team.users.filter((id) => !gone.includes(id))
    })
    return { data: { team_id, ids: gone, unchanged: 0, joined: [] }, message: 'Taken off.', effect }
  },
  'team.remove': ({ id, ids = [] }, market) => {
    const teams = [...ids, ...(id ? [id] : [])].map((one) => found(teamsOf(market), one))
    const effect = withEffect(market, () => {
      for (const team of teams) team.deleted_at = new Date().toISOString()
    })
    return { message: 'Deleted.', data: { users: 0, projects: 0 }, effect }
  },
  'team.restore': ({ id }, { teams }) => {
    const team = found(teams, id)
    team.deleted_at = null
    return { data: { id }, message: `“${team.name}” was restored.` }
  },
  'undo.deletion': ({ noun, id }, { teams, last_undo }) => {
    const team = teams.find((one) => noun === 'team' && one.id === id && one.deleted_at)
    if (!team) throw new FakeError(404, 'not_found', 'This deletion doesn’t exist.')
    return { data: { name: team.name, at: team.deleted_at ?? '', by: 'Sara Miller', own: true, undo_id: last_undo } }
  },

  'project.ofClient': ({ client_id }, market) => ({
    data: market.projects.filter((one) => one.client_id === client_id).map((one) => projectRow(market, one)),
    count: 0,
    page: 1,
  }),
  'brand.list': (_input, market) => ({
    data: market.brands.map((brand) => brandRow(market, brand)),
    count: market.brands.length,
    page: 1,
  }),
  'brand.get': ({ id }, market) => ({ data: brandRow(market, found(market.brands, id)) }),
  'brand.edit': ({ id, name }, market) => {
    const brand = found(market.brands, id)
    if (name) brand.name = name
    return { data: brandRow(market, brand), message: 'Saved.' }
  },
  'category.list': () => ({ data: CATEGORIES, count: CATEGORIES.length, page: 1 }),
  'category.ofBrand': () => ({
    data: CATEGORIES.map((one) => ({ ...one, selected: one.id === 1, services_count: one.id === 1 ? 2 : 0 })),
    count: CATEGORIES.length,
    page: 1,
  }),
  'category.check': ({ category_id, checked }) => ({
    data: { ...CATEGORIES.find(({ id }) => id === category_id)!, selected: checked },
    message: 'Saved.',
  }),
  'service.list': ({ status, per_page, page, search }, market) => {
    const seen = servicesOf(market).filter(
      ([, { id }]) => market.me.role === 'admin' || market.givenServices[id]?.includes(market.me.id),
    )
    const all = seen.map(([brand, service]) => serviceRow(market, brand, service))
    const shown = all.filter((row) => status === '2' || (row.status === 'active') === (status === '1'))
    return pageOf(shown, { search, page, per_page, column: '', order: 'asc' })
  },
  'service.get': ({ id }, market) => ({ data: serviceRow(market, ...serviceOf(market, id)) }),
  'service.edit': ({ id, name, ordered, status }, market) => {
    const [brand, service] = serviceOf(market, id)
    Object.assign(service, name ? { name } : {}, ordered === undefined ? {} : { ordered }, status ? { status } : {})
    return { data: serviceRow(market, brand, service), message: 'Saved.' }
  },
  'service.readVenues': (_, _market, [file]) => {
    const many = file?.name === 'many.csv' ? 1500 : 1
    const venues = Array.from({ length: many }, (_one, at) => ({
      ...{ code: `A${at + 1}`, name: 'First', address: '', latitude: 40.7, longitude: -74, dma: null },
    }))
    const error = (line: number, column: string, value: string, message: string) => ({ line, column, value, message })
    const check = {
      ...{ rows: many + 2, failed: 2, blocked: '', decimal_commas: [], sheets: [], ignored_columns: ['Phone'] },
      taken: { sheet: '', delimiter: ',' as const, encoding: 'utf-8' as const, heading_line: 1 },
      ...{ other_encoding: { lines: 0, first: [] }, head: [{ line: 1, text: 'Code, Name, Lat, Lng, Phone' }] },
      ...{ headings: ['Code', 'Name', 'Lat', 'Lng', 'Phone'], columns: ['code', 'name', 'latitude', 'longitude', ''] },
      sample: [{ line: 2, cells: ['A1', 'First', '40.7', '-74', '5550100'] }],
      errors: [
        error(many + 2, 'Code', '', 'The venue has no code'),
        error(many + 3, 'Lat', '400', 'Latitude 400 is out of range'),
      ],
    }
    return { data: { venues, check } }
  },
  'service.create': ({ brand_id, service_name, venues = [] }, market) => {
    const brand = found(market.brands, brand_id)
    const venues_coming = venues.length > 1000 ? venues.length : 0
    const service = { id: ++market.last, name: service_name, category: CATEGORIES[0]!.name, venues_coming }
    brand.services.push(service)
    return { data: serviceRow(market, brand, service), message: 'Added.', job_id: venues_coming ? 5 : null }
  },
  'service.ofUser': ({ user_id }, market) => {
    const data = servicesOf(market).map(([brand, { id, name, status = 'active' }]) => {
      const selected = market.givenServices[id]?.includes(user_id) ?? false
      return {
        ...{ id, brand_id: brand.id, brand_name: brand.name, name, status, selected },
        ...{ added_at: selected ? '2026-01-05T09:00:00.000Z' : null, added_by_name: selected ? 'Sara Miller' : '' },
      }
    })
    return { data, count: data.length, page: 1 }
  },
  'service.usersOf': ({ brand_id, service_id }, market) => {
    const among = servicesOf(market).filter(
      ([brand, { id }]) => (!brand_id || brand.id === brand_id) && (!service_id || id === service_id),
    )
    const data = market.people.flatMap((person) => {
      const { id, name, email, company_name } = userRow(market, person)
      const service_ids = among.map(([, service]) => service.id).filter((service) => market.givenServices[service]?.includes(id))
      return service_ids.length ? [{ id, name, email, client_name: company_name ?? '', service_ids }] : []
    })
    return { data, count: data.length, page: 1 }
  },
  'service.setUsers': (input, market) => giveServices(market, input),
  'service.requested': (_input, { askedForVisits }) => ({ data: { asked_at: askedForVisits } }),
  'service.request': (_input, market) => {
    market.askedForVisits = '2026-11-20T15:00:00.000Z'
    return { data: { asked_at: market.askedForVisits }, message: 'The administrators were asked' }
  },
  'visit.ingest': ({ rows = [] }) => {
    const good = rows.filter((row) => (row as { venue?: string }).venue !== 'nowhere')
    const errors = rows.flatMap((row, at) =>
      good.includes(row) ? [] : [{ line: at + 1, row: at + 1, fields: { venue: 'is not known, and has no position' } }],
    )
    return {
      data: { added: good.length, repeated: 0, refused: errors.length, venues_added: 0, errors, ignored: {}, dry: false },
      message: 'Taken in',
    }
  },
  'visit.counts': ({ process, ...input }, { moreVisits }) =>
    process === 'export'
      ? { report_download_link: '/download/71', job_id: 71, message: 'Export of visits started' }
      : { data: countsOfVisits(input, input.compare_before, moreVisits) },
  'visit.dailyGraph': (input) => ({ data: daysOfVisits(input) }),
  'visit.locations': ({ date = '30days', ...input }, market) => placesOfVisits({ ...input, date }, market),
  'filter.list': ({ bid }, { visitFilters }) => {
    const data = visitFilters.filter(({ brand_id }) => !bid || brand_id === bid)
    return { data, count: data.length, page: 1 }
  },
  'filter.save': ({ filter_id = 0, filter_name, brand_id = 0, filter }, market) => {
    const over = market.visitFilters.find((one) => one.filter_id === filter_id)
    if (market.visitFilters.some((one) => one !== over && one.filter_name === filter_name))
      throw new FakeError(422, 'taken', `You have a filter named ${filter_name}`)
    const data = filterRow(over?.filter_id ?? ++market.last, filter_name, brand_id, { ...filter, date: filter.date ?? '30days' })
    market.visitFilters = [...market.visitFilters.filter((one) => one !== over), data]
    return { data, message: `“${filter_name}” saved` }
  },
  'filter.remove': ({ filter_id }, market) => {
    market.visitFilters = market.visitFilters.filter((one) => one.filter_id !== filter_id)
    return { message: 'Filter deleted' }
  },
  'dma.list': () => ({ dmas: DMAS, count: DMAS.length }),
  'campaign.create': (form, market) => ({
    data: campaignDetail(market, makeCampaign(market, form)),
    message: 'Request created',
  }),
  'campaign.requestList': ({ step, search, page, per_page }, market) => {
    const wanted = step === 'all' ? ['requirements', 'submit_approval'] : ['requirements']
    const { data, count } = pageOf(
      market.projects.filter(({ status }) => wanted.includes(status)).map((one) => requestRow(market, one)),
      { search, page, per_page, column: '', order: 'asc' },
    )
    return { data: { count, totals: { requests: count, ordered: 0, cost_cents: 0 }, campaigns: data } }
  },
  'campaign.requestInfo': ({ id }, market) => ({ data: requestInfo(market, found(market.projects, id)) }),
  'project.askQuote': () => ({ message: 'We’ll send you a new quote' }),
  'user.setCompany': ({ company }, market) => {
    market.me = { ...market.me, company: company ?? '' }
    return { data: market.me, message: 'Saved.' }
  },
  'file.upload': (_, market, files) => ({ data: files.map((file) => uploaded(market, file)), message: 'Uploaded' }),
  'file.uploadDocument': (_, market, files) => ({ data: files.map((file) => uploaded(market, file)), message: 'Uploaded' }),

  'promo.get': (_, { promo }) => ({ data: { ...promo } }),
  'promo.edit': ({ id: _, lock_version, ...patch }, { promo }) => {
    const theirs = { lock_version: promo.lock_version, file_id: promo.file_id }
    unchanged(promo, lock_version, theirs)
    Object.assign(promo, patch)
    return { data: { ...promo }, message: 'Promo Updated', warnings: [] }
  },

  'campaign.list': () => ({ data: { count: 0, campaigns: [] } }),

  'runtime.overview': ({ id }, market) => ({ data: overviewOf(market, found(market.projects, id)) }),

  'runtime.questions': ({ surveyId, ...filters }, { surveys }) => {
    const survey = found(surveys, surveyId)
    const data = questionHeads(survey)
    return { data, count: data.length, page: 1, base: baseOf(survey, filters) }
  },
  'runtime.userResponses': ({ surveyId, questions, ...filters }, { surveys }) => {
    const survey = found(surveys, surveyId)
    const data = survey.questions
      .filter(({ id }) => !questions || questions.includes(id))
      .map((question) => chartOf(survey, unbroken(survey.broken, question), filters))
    return { data, count: data.length, page: 1, base: baseOf(survey, filters) }
  },
  'runtime.questionsV1': ({ id, ...filters }, market) => {
    const survey = surveyOf(market, id)!
    const data = questionHeads(survey)
    return { data, count: data.length, page: 1, base: baseOf(survey, filters) }
  },
  'runtime.crosstab': ({ surveyId, question, by, ...filters }, { surveys }) => {
    const survey = found(surveys, surveyId)
    return { data: crosstabOf(survey, found(survey.questions, question), by, filters) }
  },
  'runtime.openAnswers': ({ surveyId, question, ...input }, { surveys }) => {
    const survey = found(surveys, surveyId)
    return openAnswersOf(survey, found(survey.questions, question), input)
  },

  'content.summary': ({ id }, { content }) => {
    if (content.broken) throw new FakeError(500, 'fault', 'The items can’t be counted.')
    return { data: contentSummary(content.counts[id] ?? content) }
  },
  'content.list': (input, market) => {
    if (market.content.broken) throw new FakeError(500, 'fault', 'The items can’t be read.')
    // Nothing arrives after a gallery was opened.
    const ids = input.after === undefined ? contentIds(market.content, input) : []
    const { page, per_page } = input
    return {
      data: ids.slice((page - 1) * per_page, page * per_page).map((id) => item(market, id)),
      count: ids.length,
      page,
    }
  },
  'content.get': ({ id }, market) => ({ data: item(market, id) }),
  'content.place': ({ id, ...filter }, market) => {
    const index = contentIds(market.content, filter).indexOf(id)
    return { data: { id, index: index < 0 ? null : index } }
  },
  'content.review': ({ id, review, reason, lock_version }, market) => {
    const one = item(market, id)
    if (lock_version !== undefined && lock_version !== one.lock_version)
      throw new FakeError(409, 'stale', 'This was changed by someone else in the meantime.', { current: one, theirs: one })
    reviewed(market, id, review, review === 'rejected' ? reason : '')
    return { data: item(market, id), message: `The item is ${REVIEWED[review]}.` }
  },
  'content.reviewMany': ({ ids, review, reason }, market) => {
    for (const id of ids) reviewed(market, id, review, review === 'rejected' ? reason : '')
    return { data: { done: ids, refused: [] }, message: `${items(ids.length)} ${REVIEWED[review]}.` }
  },
  'content.rotate': ({ ids, by }, market) => {
    for (const id of ids) {
      const { rotation, lock_version } = item(market, id)
      market.content.changed[id] = {
        ...market.content.changed[id],
        rotation: (rotation + by) % 360,
        lock_version: lock_version + 1,
      }
    }
    return { data: { done: ids }, message: `${ids.length} ${ids.length === 1 ? 'photo' : 'photos'} rotated.` }
  },
  'content.download': ({ ids, ...filter }, market) => {
    const all = ids ?? contentIds(market.content, filter)
    if (!all.length) throw new FakeError(409, 'not_now', 'Nothing matches.')
    // More items than fit into one file are split into two parts.
    const parts = all.length > 500 ? [1, 2] : [1]
    return { data: parts.map((id) => jobOf(market.me, 'content', id)), message: `${items(all.length)} on the way as a ZIP file.` }
  },
  'content.actors': ({ id }, { content }) => ({
    data: {
      ...{ id, name: 'Shelf photos', project_id: 530, project_name: 'Alder snack tracker 1' },
      activity_type: id === 8 ? 'survey' : 'photo',
      ...{ people: content.photos, actions: content.photos },
    },
  }),
  'content.respondents': ({ page, per_page, from, to }) => {
    const all = Array.from({ length: 25 }, (_, at) => ({
      ...{ id: at + 1, person: `r-${at + 1}`, outcome: 'completes' as const, market: '' },
      at: `2026-03-${String(28 - at).padStart(2, '0')}T16:00:00.000Z`,
    })).filter(({ at }) => at.slice(0, 10) >= (from ?? '') && at.slice(0, 10) <= (to ?? '~'))
    return { data: all.slice((page - 1) * per_page, page * per_page), count: all.length, page }
  },
  'export.start': ({ source }, { me }) => ({ data: jobOf(me, source), message: 'Export started' }),
  'project.history': ({ id }, { people }) => {
    const who = `${people[0]!.first_name} ${people[0]!.last_name}`
    const line = {
      id: 1,
      action: 'question.reorder',
      origin: 'workspace',
      who,
      acting_admin: null,
      reason: '',
      at: '2026-01-05T09:00:00.000Z',
    }
    const change = { before: { questions: 'Q-1 Q-2' }, after: { questions: 'Q-2 Q-1' } }
    return { data: [{ ...line, ...change, subject: 'survey', subject_id: id === 530 ? 71 : 0 }], count: 1, page: 1 }
  },
  'survey.get': (_, market) => ({ data: surveyRow(market) }),
  'question.list': ({ id: _, type, answer_type, filter, ...input }, market) => {
    const those = filter === 'retired' ? market.questions.filter((one) => one.retired_at !== null) : inUse(market)
    const rows = those.filter((one) => (!type || one.question_type === type) && (!answer_type || one.answer_type === answer_type))
    const { data, ...rest } = pageOf(rows, { ...input, column: '' })
    return { data: data.map((one) => questionRow(market, one)), ...rest, counts: countsOf(market) }
  },
  'question.get': ({ id }, market) => ({ data: questionRow(market, found(market.questions, id)) }),
  'activity.ofProject': ({ id }) => ({ data: freeActivities(id), count: 2, page: 1 }),
  'survey.refresh': () => {
    throw new FakeError(422, 'no_source', MESSAGES.noQuestionSource)
  },
  'survey.length': () => ({ data: { median_seconds: 750, timed: 400, left_open: 0 } }),
  'survey.checkLink': () => ({ data: { status: 200, trouble: '', at: new Date().toISOString() } }),
  'survey.questions': ({ type }, market) => {
    const data = inUse(market)
      .filter((one) => one.question_type === type)
      .map((one) => questionRow(market, one))
    return { data, count: data.length, page: 1 }
  },
  'question.reorder': ({ ids }, market) => {
    for (const [at, id] of ids.entries()) found(market.questions, id).order = at + 1
    return { message: `${ids.length} questions moved.`, moved: ids.length }
  },
  'question.bulk': ({ rows }, market) => {
    const questions = addRows(market, rows).map((one) => questionRow(market, one))
    const message = questions.length === 1 ? '1 question added.' : `${questions.length} questions added.`
    return { data: { added: questions.length, errors: [], questions }, message }
  },
  'question.create': ({ survey_id: _, order: __, ...draft }, market) => {
    const [made] = addRows(market, [{ ...draft, answer_type: draft.answer_type ?? 'open' }])
    return { data: questionRow(market, made!), message: 'Question Created' }
  },
  'question.remove': ({ id }, market) => {
    const one = found(market.questions, id)
    if (one.answered) one.retired_at = one.updated_at
    else market.questions = market.questions.filter((other) => other !== one)
    const what = `Q-${id} “${one.name}”`
    return {
      retired: one.answered > 0,
      message: one.answered ? `${what} has answers, so it was retired: charts keep it.` : `${what} was deleted.`,
    }
  },

  'reward.list': (input, market) => {
    const page = pageOf(
      market.catalogue.map((one) => catalogueRow(market, one)),
      input,
    )
    return { ...page, page_size: input.per_page, totals: catalogueTotals(page.count) }
  },
  'reward.ofProject': ({ id, ...input }, market) => {
    const own = market.catalogue.filter(({ project_id }) => project_id === id)
    const rows = own.map((one) => ({ ...catalogueRow(market, one), share: 0, days_to_payment: null }))
    const page = pageOf(rows, input)
    return { ...page, page_size: input.per_page, totals: catalogueTotals(page.count) }
  },
  'reward.edit': ({ id, name, lock_version }, market) => {
    const one = found(market.catalogue, id)
    unchanged(one, lock_version, catalogueRow(market, one))
    one.name = name ?? one.name
    return { data: catalogueRow(market, one), message: 'Reward Updated' }
  },
  'reward.imports': () => ({ data: [], count: 0, page: 1 }),
  'reward.upload': ({ mapping, dry }) => {
    const columns = checkedColumns(mapping)
    const mapped = columns.map(({ as }) => as)
    const ready = mapped.includes('email') && mapped.includes('amount') ? 2 : 0
    const check = {
      ...{ rows: 3, ready, amount_cents: ready * 500, failed: 3 - ready, unpayable: 0, repeated_in_file: 0 },
      ...{ repeated_in_project: 0, decimal_commas: [], columns, sample: [['ann@mail.test', '5', 'A']] },
      taken: { sheet: '', delimiter: ',' as const, encoding: 'utf-8' as const, heading_line: 1 },
      ...{ other_encoding: { lines: 0, first: [] }, ignored_columns: [], head: [{ line: 1, text: 'Who, Amount, Wave' }] },
      first: [
        { line: 4, kind: 'error' as const, column: 'Who', value: 'nobody', message: 'The Email is not valid', entry_id: null },
      ],
    }
    return { data: { import_id: dry ? null : 41, job_id: dry ? null : 42, check }, message: '' }
  },
  'entry.list': ({ id, page, like }, market) => {
    const named = market.rewards.find((one) => one.id === like)?.email
    const own = market.rewards.filter(({ project_id, email }) => project_id === id && (!named || email === named))
    const data = own.map((one) => entryRow(market, one))
    const totals = [{ status: 'pending' as const, count: data.length, amount_cents: data.length * 1000 }]
    return { data, count: data.length, page, page_size: 50, totals }
  },
}
