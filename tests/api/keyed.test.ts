import { beforeAll, describe, expect, test } from 'vitest'
import { ruleOf } from '../../contract/access.ts'
import type { Call } from '../../contract/call.ts'
import { type CallId, calls, type Input } from '../../contract/calls.ts'
import { addDays } from '../../contract/pacing.ts'
import { handlers } from '../../server/calls/handlers.ts'
import type { Keyed } from '../../server/core/handler.ts'
import { takesKey } from '../../server/http/openapi/document.ts'
import {
  failedDelivery,
  locationFile,
  type Maker,
  refusedLine,
  sendExample,
  WRITE_EXAMPLES,
  type WriteExample,
} from '../support/writeExamples.ts'
import { signedIn } from './calling.ts'
import { upload } from './other-world.ts'
import { type Answer, type Fieldwork, fieldwork, type Person, withoutDeliveries } from './support.ts'
import { testAll } from './wrong.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
  withoutDeliveries(app)
})

const rows = Object.entries(calls) as [CallId, Call][]
const writes = rows.filter(([, row]) => row.method !== 'GET' || row.unsafe).map(([id]) => id)
const keyless = (id: CallId) => (handlers[id] as { ownTransaction?: Keyed }).ownTransaction

/** TABLE  writes that respond differently to a repeat, with the reason. */
const OTHERWISE: Partial<Record<CallId, string>> = {
  'session.actAs': 'its answer is a session, whose token is kept nowhere',
  'session.actAsByLink': 'its answer is a session, whose token is kept nowhere',
  'target.check': 'it stores nothing',
  'service.readVenues': 'it stores nothing',
  'import.errors': 'it makes a link to a file, and a second one does no harm',
  'reward.importErrors': 'it makes a link to a file, and a second one does no harm',
  'organization.testMail': 'each call sends another email',
  'location.find': 'it stores nothing',
  'content.import': 'an item counts once by its external_id: the second answer says that it is known',
  'visit.ingest': 'a device counts once at a venue in a second: the second answer says that it is known',
  'quota.admit': 'the second answer resumes the hold of the first, with the same rid',
  'fieldSession.outcome': 'a session has one outcome: the second answer says that it is known',
  'fieldSession.seen': 'it says that somebody is still there',
  'runtime.ingest': 'a respondent counts once by its id: the second answer says that it is known',
}
const isOtherwise = (id: CallId) => OTHERWISE[id] ?? (ruleOf(id).who === 'public' ? 'a key belongs to who is signed in' : '')

type Given<Id extends CallId> = (Partial<Input<Id>> & Record<string, unknown>) | { as: Person; input: object }
const at = () => new Date().toISOString()
const project = async (given: object = {}) => (await app.make.project({ client_id: app.client.id, ...given })).id
const person = () => app.make.user({ clients: [app.client.id] })
const client = async (input: object) => ({ as: app.as('client'), input })
const activity = async () => (await app.make.activity({ project_id: await project(), name: 'Shelf Diary' })).id
const entry = async (given: object = {}) => (await app.make.entry({ project_id: await project(), ...given })).id
const file = (project_id: number) => upload(app.as('admin'), project_id, 'plan.txt')
/** A file without a project. */
const loose = async () => {
  const form = '--b\r\ncontent-disposition: form-data; name="file"; filename="plan.txt"\r\n\r\nplan\r\n--b--\r\n'
  const type = { 'content-type': 'multipart/form-data; boundary=b' }
  const { body } = await app.as('admin').raw('POST', '/v3/portal/files', Buffer.from(form), type)
  return (body as unknown as { data: { id: number }[] }).data[0]!.id
}
const note = async () => {
  const project_id = await project()
  const { body } = await app.as('admin').call('note.create', { project_id, note: 'First' })
  return { project_id, note_id: body.data.id }
}
/** A queued mail, sent by a client's invitation. */
const mail = async (status: 'outbox' | 'queued') => {
  const user = await app.make.user({ status: 'invited', invitation_expires_at: at() })
  await app.as('admin').call('user.resendActivation', { email: user.email })
  const { id } = await app.db.selectFrom('mails').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow()
  const later = new Date(Date.now() + 3_600_000).toISOString()
  await app.write((tx) => tx.updateTable('mails').set({ status, not_before: later }).where('id', '=', id).execute())
  return { id }
}
const webhook = async () => {
  const given = { name: 'Board', url: 'https://hooks.test/x', nouns: ['project'] }
  return { id: (await app.as('admin').call('webhook.create', given)).body.data.id }
}
const job = async (state: 'waiting' | 'failed' | 'done') => {
  const { id } = (await app.as('admin').call('export.start', { source: 'clients' })).body.data
  await app.services.jobs.settled(id, 10_000)
  // It must not be begun before the call that is tried: half a minute is more than that takes, and less than any pause.
  const soon = new Date(Date.now() + 30_000).toISOString()
  const values = state === 'waiting' ? ({ status: 'queued', not_before: soon } as const) : { status: state }
  if (state !== 'done') await app.write((tx) => tx.updateTable('jobs').set(values).where('id', '=', id).execute())
  return { id }
}
const view = async () => {
  const { body } = await app.as('client').call('view.create', { screen: 'allProjects', name: `View ${Math.random()}` })
  return body.data
}
const session = async () => {
  const headers = await signedIn(app.services, app.member)
  const { id } = await app.db.selectFrom('sessions').select('id').where('client', '=', headers.client!).executeTakeFirstOrThrow()
  return id
}
const quoted = async () => {
  const id = await project({ status: 'pricing', requested_by: app.member.id })
  await app.make.assign(id, (await app.make.partner()).id)
  return id
}
const request = () => ({
  client_id: app.client.id,
  name: 'Shelf Diary',
  goal: 50,
  start_dt: addDays(app.make.today(), 2),
  activity_type: 'survey',
  url: 'https://survey.test/s',
  location_based: 'no',
  targeted_locations: ['501'],
  age: ['2'],
  gender: ['male'],
})
const partnered = async () => {
  const project_id = await project({ status: 'pricing' })
  const partner_id = (await app.make.partner()).id
  await app.make.assign(project_id, partner_id)
  return { project_id, partner_id }
}
const inviting = ({ project_id, partner_id }: { project_id: number; partner_id: number }) => ({ id: project_id, partner_id })
const surveyed = async () => ({ surveyId: (await app.make.survey({ project_id: await project() })).id })
const responded = async () => {
  const { surveyId } = await surveyed()
  await app.as('admin').call('runtime.ingest', { surveyId, rows: [{ respondent_id: 'p1', outcome: 'completes' }] })
  return { surveyId, respondentId: 'p1' }
}

const team = (given: object = {}) => app.make.team({ client_id: app.client.id, ...given })
async function onTeam() {
  const { id } = await person()
  return { team_id: (await team({ users: [id] })).id, user_id: id }
}

/** TABLE  valid input for every write, on records created for it; a new write adds its own. */
const RIGHT: { [Id in CallId]?: () => Promise<Given<Id>> | Given<Id> } = {
  'account.edit': () => client({ company: 'Reed & Co' }),
  'account.endSession': async () => client({ id: await session() }),
  'account.endOtherSessions': async () => ({ as: await app.signIn(await person()), input: {} }),
  'key.create': () => ({ name: 'Nightly' }),
  'key.revoke': async () => ({ id: (await app.as('admin').call('key.create', { name: 'Old' })).body.data.id }),
  'token.create': () => ({ name: 'Nightly', scopes: ['project:read'] }),
  'token.revoke': async () => ({
    id: (await app.as('admin').call('token.create', { name: 'Old', scopes: ['project:read'] })).body.data.id,
  }),
  'webhook.create': () => ({ name: 'Board', url: 'https://hooks.test/y', nouns: ['project'] }),
  'webhook.edit': async () => ({ ...(await webhook()), name: 'Other board' }),
  'webhook.pause': webhook,
  'webhook.resume': async () => {
    const { id } = await webhook()
    await app.as('admin').call('webhook.pause', { id })
    return { id }
  },
  'webhook.rotate': webhook,
  'webhook.test': webhook,
  'webhook.replayFailed': webhook,
  'webhook.remove': webhook,
  'delivery.replay': async () => ({ id: (await failedDelivery(app)).id }),
  'organization.edit': () => ({ product: 'Fieldwork' }),
  'outbox.retry': () => mail('outbox'),
  'outbox.reveal': () => mail('outbox'),
  'outbox.withdraw': () => mail('queued'),
  'user.edit': async () => ({ id: (await person()).id, first_name: 'Robin' }),
  'user.editOlder': async () => ({ id: (await person()).id, first_name: 'Robin' }),
  'user.setTeams': async () => ({ user_id: (await person()).id, join_ids: [(await team()).id] }),
  'user.remove': async () => ({ id: (await person()).id }),
  'user.removeOlder': async () => ({ id: (await person()).id }),
  'user.invite': () => ({ email: 'once@mail.test', role_id: 3, client_id: app.client.id }),
  'user.inviteOlder': () => ({ email: 'older@mail.test', role_id: 2, client_id: app.client.id }),
  'user.resendActivation': async () => ({ email: (await app.make.user({ status: 'invited' })).email }),
  'user.resetPassword': async () => ({ id: (await person()).id }),
  'user.setCompany': () => client({ company: 'Reed & Co' }),
  'client.create': () => ({ name: 'Once Foods' }),
  'client.edit': async () => ({ id: (await app.make.client()).id, name: 'Twice Foods' }),
  'client.remove': async () => ({ id: (await app.make.client()).id }),
  'client.restore': async () => {
    const { id } = await app.make.client()
    await app.as('admin').call('client.remove', { id })
    return { id }
  },
  'user.inviteMany': () => ({ people: [{ email: 'many@mail.test' }], role_id: 3, client_id: app.client.id }),
  'team.create': () => ({ client_id: app.client.id, name: `Team ${Math.random()}` }),
  'team.createOlder': () => ({ company_id: app.client.id, name: `Team ${Math.random()}` }),
  'team.edit': async () => ({ id: (await team()).id, name: `Team ${Math.random()}` }),
  'team.editOlder': async () => ({ id: (await team()).id, name: `Team ${Math.random()}` }),
  'team.remove': async () => ({ id: (await team()).id }),
  'team.removeOlder': async () => ({ id: (await team()).id }),
  'team.addUsers': async () => ({ team_id: (await team()).id, user_id: (await person()).id }),
  'team.removeUsers': () => onTeam(),
  'team.removeUsersOlder': () => onTeam(),
  'team.addProjects': async () => ({ team_id: (await team()).id, project_id: await project() }),
  'team.removeProjects': async () => {
    const project_id = await project()
    return { team_id: (await team({ projects: [project_id] })).id, project_id }
  },
  'client.addUser': async () => ({ client_id: (await app.make.client()).id, user_id: (await person()).id }),
  'client.removeUser': async () => ({ client_id: app.client.id, user_id: (await person()).id }),
  'client.editLocationGroup': async () => ({
    location_group_id: (await app.make.group({ client_id: app.client.id })).id,
    name: `Stores ${Math.random()}`,
  }),
  'partner.create': () => ({ name: 'Panel One', email: 'panel@mail.test', phone: '2125550100' }),
  'partner.createOlder': () => ({ name: 'Panel Two', email: 'panel2@mail.test', phone: '2125550100' }),
  'partner.edit': async () => ({ id: (await app.make.partner()).id, name: `Panel ${Math.random()}` }),
  'partner.merge': async () => ({ id: (await app.make.partner()).id, into_id: (await app.make.partner()).id }),
  'partner.remove': async () => ({ id: (await app.make.partner()).id }),
  'project.create': () => ({
    name: 'Snack Pulse',
    client_id: app.client.id,
    goal: 100,
    start_dt: app.make.today(),
    end_dt: addDays(app.make.today(), 9),
  }),
  'project.edit': async () => ({ id: await project(), name: 'Snack Pulse 2' }),
  'project.setStatus': async () => ({ id: await project(), status: 'paused', reason: 'A holiday' }),
  'project.goLive': async () => {
    const id = await project({ status: 'approved' })
    await app.make.survey({ project_id: id })
    return { id }
  },
  'project.remove': async () => ({ id: await project({ status: 'rejected' }) }),
  'project.restore': async () => {
    const id = await project({ status: 'rejected' })
    await app.as('admin').call('project.remove', { id })
    return { id }
  },
  'project.clone': async () => ({ id: await project() }),
  'project.removeTeam': async () => {
    const project_id = await project()
    await app.make.team({ client_id: app.client.id, projects: [project_id] })
    return { project_id }
  },
  'request.create': () => client(request()),
  'request.check': () => client({ draft: request(), dry: true }),
  'campaign.edit': async () => ({ id: await project({ generation: 'campaign' }), description: 'New' }),
  'campaign.editProject': async () => ({ id: await project({ generation: 'campaign' }), description: 'New' }),
  'campaign.authorize': async () =>
    client({
      campaign_id: await project({ generation: 'campaign', status: 'submit_approval' }),
      authorized: 'Yes',
      approved: true,
    }),
  'project.assignPartner': async () => ({
    project_id: await project({ status: 'pricing' }),
    partner_id: (await app.make.partner()).id,
  }),
  'project.assign': async () => ({
    project_id: await project({ status: 'requirements' }),
    partner_id: (await app.make.partner()).id,
    status: 'OnQuote',
  }),
  'project.approve': async () => client({ project_id: await project({ status: 'submit_approval' }), status: 'Approved' }),
  'project.reject': async () =>
    client({ project_id: await project({ status: 'submit_approval' }), status: 'OnQuote', reason: 'Too much' }),
  'project.quoteOpened': async () => client({ id: await project({ status: 'submit_approval' }) }),
  'project.setCost': async () => ({ id: await quoted(), cost: 1200 }),
  'project.notifyCost': async () => ({ id: await project({ status: 'submit_approval', requested_by: app.member.id }) }),
  'project.notifyCostNow': async () => ({ id: await project({ status: 'submit_approval', requested_by: app.member.id }) }),
  'project.mailPartner': partnered,
  'project.mailPartnerNow': partnered,
  'campaign.mailPartner': async () => {
    const project_id = await project({ status: 'pricing', generation: 'campaign' })
    const partner_id = (await app.make.partner()).id
    await app.make.assign(project_id, partner_id)
    return { project_id, partner_id }
  },
  'invitation.create': async () => ({
    id: await project({ status: 'pricing' }),
    partner_ids: [(await app.make.partner()).id],
  }),
  'invitation.remind': async () => ({ id: (await partnered()).project_id }),
  'invitation.link': async () => inviting(await partnered()),
  'invitation.revoke': async () => ({ ...inviting(await partnered()), reason: 'Wrong panel' }),
  'invitation.opened': async () => ({ id: (await partnered()).project_id }),
  'invitation.ask': async () => {
    const { project_id, partner_id } = await partnered()
    return { id: project_id, partner_id, text: 'Once' }
  },
  'message.send': async () => ({ id: await project(), text: 'Once' }),
  'invitation.requestLink': async () => ({ id: (await partnered()).project_id }),
  'proffer.create': async () => {
    const { project_id, partner_id } = await partnered()
    return { campaign_id: project_id, partner_id, fill_requirements: 'Yes', on_behalf: 'By phone' }
  },
  'proffer.quote': async () => ({ ...(await partnered()), fill_requirements: 'Yes', on_behalf: 'By phone' }),
  'note.create': async () => ({ project_id: await project(), note: 'Once' }),
  'note.edit': async () => ({ ...(await note()), note: 'Twice' }),
  'note.remove': note,
  'category.check': async () => ({ project_id: await project(), category_id: 1, checked: true }),
  'category.set': async () => ({ id: await project(), category_ids: [1, 2] }),
  'runtime.correct': async () => ({ ...(await responded()), outcome: 'terminates' }),
  'runtime.withdraw': () => responded(),
  'runtime.putBack': async () => {
    const one = await responded()
    await app.as('admin').call('runtime.withdraw', one)
    return one
  },
  'runtime.clearFraud': surveyed,
  'runtime.clearFraudByGet': surveyed,
  'entry.redeem': async () => ({ ids: [await entry(), await entry(), await entry()] }),
  'entry.reject': async () => ({ ids: [await entry()], reason: 'Twice' }),
  'entry.secondChance': async () => ({ ids: [await entry({ status: 'rejected' })] }),
  'entry.clearByLink': async () => {
    const id = await project()
    await app.make.entry({ project_id: id })
    return { id }
  },
  'entry.clear': async () => {
    const id = await project()
    await app.make.entry({ project_id: id })
    return { id }
  },
  'file.remove': async () => ({ id: await file(await project()) }),
  'file.attach': async () => ({ project_id: await project(), file_id: await loose() }),
  'file.attachToActivity': async () => ({ activity_id: await activity(), file_id: await loose() }),
  'file.detach': async () => {
    const project_id = await project()
    return { project_id, file_id: await file(project_id) }
  },
  'file.link': async () => ({ id: await file(await project()) }),
  'import.process': async () => (await WRITE_EXAMPLES['import.process']!(app)).input,
  'import.map': async () => ({ id: await locationFile(app), mapping: ['name', 'address', ''] }),
  'import.run': async () => ({ id: await locationFile(app) }),
  'import.correct': async () => ({ ...(await refusedLine(app)), value: '02110' }),
  'import.undo': async () => ({ id: await locationFile(app, { status: 'done' }) }),
  'job.cancel': () => job('waiting'),
  'job.retry': () => job('failed'),
  'job.link': () => job('done'),
  'export.start': () => client({ source: 'projects' }),
  'snapshot.create': () => client({ layout: '{"columns":[]}' }),
  'usage.record': () => client({ screen: 'projects.list' }),
  'view.create': () => client({ screen: 'allProjects', name: 'Once' }),
  'view.edit': async () => client({ id: (await view()).id, name: `View ${Math.random()}` }),
  'view.remove': async () => client({ id: (await view()).id }),
  'undo.take': () => undoable(),
  'undo.redo': async () => {
    const { id } = await undoable()
    await app.as('admin').call('undo.take', { id })
    return { id }
  },
}

async function undoable(): Promise<{ id: number }> {
  const { headers } = await app.as('admin').call('client.edit', { id: (await app.make.client()).id, name: 'Renamed' })
  return { id: Number(headers['x-undo']) }
}

/** Links contain the second they were signed in, so they are left out. */
const bodyOf = (answer: Answer) => JSON.parse(answer.text.replace(/"(url|thumbnail_url|link)":"[^"]*"/g, '"$1":""')) as unknown

/** Every write that accepts a key; uploads are sent twice in file.test.ts. */
const keyed = writes.filter((id) => !isOtherwise(id) && (calls[id] as Call).as !== 'multipart')

/** The input above, or else the example of the call (tests/support/writeExamples.ts). */
async function exampleOf(id: CallId): Promise<WriteExample> {
  const given = await (RIGHT[id] as (() => Promise<Given<CallId>>) | undefined)?.()
  if (!given) return (WRITE_EXAMPLES[id] as Maker)(app)
  return 'as' in given ? (given as WriteExample) : { as: app.as('admin'), input: given }
}

describe('a write sent twice with one key gets the same response', () => {
  test('a call that takes no key says so, and its documentation offers none', () => {
    for (const id of writes) {
      expect([id, typeof keyless(id) === 'object' || ruleOf(id).who === 'public']).toEqual([id, isOtherwise(id) !== ''])
      expect([id, takesKey(id, calls[id])]).toEqual([id, isOtherwise(id) === ''])
    }
  })

  testAll('every write that accepts a key', keyed, async (id) => {
    const made = await exampleOf(id)
    const send = () => sendExample(id, made, {}, { 'idempotency-key': `twice-${id}` })
    const first = (await send()) as Answer
    expect(first.status, first.text).toBe(200)
    const second = (await send()) as Answer
    // A secret shown once is never returned again.
    if ((calls[id] as Call).secret) return expect([second.status, second.body.code]).toEqual([409, 'done_already'])
    expect([second.status, second.headers['idempotent-replayed']], second.text).toEqual([200, 'true'])
    expect(bodyOf(second)).toEqual(bodyOf(first))
  })

  test('a payment reported after it was made', async () => {
    const ids = [await entry(), await entry()]
    const send = () => app.as('admin').call('entry.redeem', { ids }, { 'idempotency-key': 'paid-and-told' })
    const first = await send()
    expect(first.body.message).toBe('2 rewards paid.')
    // Later changes to them don't affect the stored response.
    await app.write((tx) => tx.updateTable('entries').set({ status: 'rejected' }).where('id', 'in', ids).execute())
    expect((await send()).body).toEqual(first.body)
  })

  test('a temporary password, which is emailed once', async () => {
    const { id, email } = await person()
    const send = () => app.as('admin').call('user.resetPassword', { id }, { 'idempotency-key': 'one-password' })
    const [first, second] = [await send(), await send()]
    expect([first.status, second.status, second.headers['idempotent-replayed']]).toEqual([200, 200, 'true'])
    const mails = await app.db.selectFrom('mails').select('id').where('to_address', '=', email).execute()
    expect(mails).toHaveLength(1)
  })
})
