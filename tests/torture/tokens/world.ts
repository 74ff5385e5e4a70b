import type { AddressInfo } from 'node:net'
import type { CallId, Input, Output } from '../../../contract/calls.ts'
import { hashToken } from '../../../server/core/secrets.ts'
import { transact } from '../../../server/db/connect.ts'
import { buildApp } from '../../../server/http/app.ts'
import type { createServices } from '../../../server/services.ts'
import { requestOf, signedIn } from '../../api/calling.ts'
import { makers } from '../../support/makers.ts'

type Services = Awaited<ReturnType<typeof createServices>>

/** Part of every text of the other client: wherever a limited token reads it, something leaked. */
export const SECRET = 'Zanzibar'

/** A token with what it may do. */
export interface Token {
  name: string
  id: number
  text: string
  scopes: readonly string[]
  /** True if it is limited to our client. */
  limited: boolean
  /** True if it must be refused everywhere. */
  dead: boolean
  isAdmins: boolean
}

/** Two clients with a project of everything each, tokens of every kind, and the processes that serve them. */
export type World = Awaited<ReturnType<typeof openWorld>>

/** Makes the world and starts a server for each of the services, which share a database. */
export async function openWorld(all: readonly Services[]) {
  const [services] = all as [Services]
  const apps = await Promise.all(all.map((one) => buildApp(one)))
  const urls: string[] = []
  for (const app of apps) {
    await app.listen({ port: 0, host: '127.0.0.1' })
    urls.push(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)
  }
  const make = makers(services)
  const client = await make.client({ name: 'Acme Beverage' })
  const other = await make.client({ name: `${SECRET} Foods` })
  const admin = await make.user({ role: 'admin' })
  const member = await make.user({ role: 'client', clients: [client.id] })
  const leaver = await make.user({ role: 'admin' })
  const headers = await signedIn(services, admin)
  const person = async <Id extends CallId>(id: Id, input: Input<Id> | Record<string, unknown>, as = headers) => {
    const { method, url, body } = requestOf(id, input as Record<string, unknown>)
    const answer = await apps[0]!.inject({
      method: method as 'GET',
      url,
      headers: as,
      ...(body ? { payload: body as object } : {}),
    })
    if (answer.statusCode >= 400) throw new Error(`${id}: ${answer.statusCode} ${answer.body}`)
    return answer.json() as Output<Id>
  }

  /** One of everything for a client, each named by a word. */
  async function recordsOf(client_id: number, word: string) {
    const project = await make.project({ client_id, name: `${word} Snacks`, description: word, status: 'approved' })
    const child = await make.project({ client_id, name: `${word} Child`, parent_id: project.id })
    const survey = await make.survey({ project_id: project.id, name: `${word} Survey` })
    const activity = await make.activity({ project_id: project.id, name: word, about: word })
    const target = await make.target({ activity_id: activity.id })
    const note = await make.note({ project_id: project.id, note: word, author_id: admin.id })
    const question = await make.question({ survey_id: survey.id, name: word })
    const team = await make.team({ client_id, name: `${word} Team`, projects: [child.id] })
    const entry = await make.entry({ project_id: project.id, survey_id: survey.id })
    return {
      client: client_id,
      project: project.id,
      child: child.id,
      survey: survey.id,
      activity: activity.id,
      target: target.id,
      note: note.id,
      question: question.id,
      team: team.id,
      entry: entry.id,
    }
  }
  const ours = await recordsOf(client.id, 'Acme')
  const theirs = await recordsOf(other.id, SECRET)

  const tokens: Token[] = []
  async function token(name: string, terms: Record<string, unknown>, more: Partial<Token> = {}, as = headers): Promise<Token> {
    const scopes = (terms.scopes as string[] | undefined) ?? ['*:write']
    const { data } = await person('token.create', { name, scopes, ...terms }, as)
    const made = { name, id: data.id, text: data.token, scopes, limited: false, dead: false, isAdmins: true, ...more }
    tokens.push(made)
    return made
  }
  await token('administrator', {})
  await token('reader', { scopes: ['*:read'] })
  await token('one noun', { scopes: ['project:write'] })
  await token('one call', { scopes: ['note.create'] })
  await token('of a client', { clients: [client.id] }, { limited: true })
  await token('of a project', { projects: [ours.project] }, { limited: true })
  await token('of a client, one noun', { clients: [client.id], scopes: ['project:write', 'note:read'] }, { limited: true })
  await token('of a survey', { surveys: [ours.survey] }, { limited: true })
  await token('of a client user', {}, { limited: true, isAdmins: false }, await signedIn(services, member))
  const revoked = await token('revoked', {}, { dead: true })
  await person('token.revoke', { id: revoked.id })
  const expired = await token('expired', {}, { dead: true })
  await token('of a leaver', { kind: 'service' }, { dead: true }, await signedIn(services, leaver))
  await person('user.remove', { id: leaver.id })
  await transact(services.database, (tx) =>
    tx.updateTable('api_keys').set({ expires_at: '2020-01-01T00:00:00.000Z' }).where('id', '=', expired.id).execute(),
  )
  return {
    ...{ services, apps, urls, make, admin, client, other, ours, theirs, tokens, token, person, headers },
    async close() {
      for (const app of apps) await app.close()
    },
  }
}

/** What is stored of the other client's records, as one text, and whatever history they have. */
export async function storedOfOther({ services, theirs, other }: World): Promise<string> {
  const { db } = services.database
  const projects = [theirs.project, theirs.child]
  const rows = await Promise.all([
    db.selectFrom('clients').selectAll().where('id', '=', other.id).execute(),
    db.selectFrom('projects').selectAll().where('client_id', '=', other.id).orderBy('id').execute(),
    db.selectFrom('surveys').selectAll().where('project_id', 'in', projects).orderBy('id').execute(),
    db.selectFrom('activities').selectAll().where('project_id', 'in', projects).orderBy('id').execute(),
    db.selectFrom('notes').selectAll().where('project_id', 'in', projects).orderBy('id').execute(),
    db.selectFrom('entries').selectAll().where('project_id', 'in', projects).orderBy('id').execute(),
    db.selectFrom('questions').selectAll().where('survey_id', '=', theirs.survey).orderBy('id').execute(),
    db.selectFrom('teams').selectAll().where('client_id', '=', other.id).orderBy('id').execute(),
    db.selectFrom('project_partners').selectAll().where('project_id', 'in', projects).execute(),
    db.selectFrom('history').selectAll().where('project_id', 'in', projects).orderBy('id').execute(),
  ])
  return JSON.stringify(rows)
}

/** True if a text of the database or a response holds a token or its hash. */
export const holdsToken = (text: string, tokens: readonly Token[]): boolean =>
  tokens.some((token) => text.includes(token.text) || text.includes(hashToken(token.text)))
