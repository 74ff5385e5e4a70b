import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import type { Services } from '../../server/core/context.ts'
import { readSettings } from '../../server/core/settings.ts'
import { transact } from '../../server/db/connect.ts'
import { buildApp } from '../../server/http/app.ts'
import { closeServices, createServices } from '../../server/services.ts'
import { signedIn } from '../api/calling.ts'
import { makers } from '../support/makers.ts'

type Headers = Record<string, string>

/** A small marketplace on the real server in this process, whose users are restored after each mistreatment. */
export interface World {
  app: FastifyInstance
  services: Services
  /** The headers of somebody's current session. */
  headersOf(who: 'admin' | 'client' | 'stranger'): Headers
  /** Restores every user and signs them in with a new session. */
  revive(): Promise<void>
  /** Errors the server has logged since it was opened. */
  errors: string[]
  close(): Promise<void>
}

/** Opens a server on a fresh database with a few of every noun, so a small id often exists. */
export async function openWorld(env: Record<string, string>): Promise<World> {
  const settings = readSettings({ ...env, NODE_ENV: 'test', DEMO: 'none', PUBLIC_URL: 'http://fieldwork.test' })
  const errors: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void errors.push(line) })
  const services = await createServices(settings, log)
  const app = await buildApp(services)
  const make = makers(services)
  const clients = [await make.client({ name: 'Acme Beverage' }), await make.client(), await make.client()]
  const admin = await make.user({ role: 'admin', email: 'admin@fieldwork.test' })
  const client = await make.user({ role: 'client', email: 'client@fieldwork.test', clients: [clients[0]!.id] })
  for (let at = 0; at < 3; at++) await make.user({ role: 'client', clients: [clients[at]!.id] })
  for (let at = 0; at < 3; at++) await make.partner()
  await fillProjects(make, clients, client.id)
  await services.database.db.selectFrom('meta').selectAll().execute()
  const people = { admin, client }
  const sessions: Record<string, Headers> = { stranger: {} }
  const revive = async () => {
    for (const [who, user] of Object.entries(people)) {
      await transact(services.database, (tx) =>
        tx
          .updateTable('users')
          .set({
            deleted_at: null,
            status: 'active',
            must_change_password: 0,
            role: who as 'admin',
            email: `${who}@fieldwork.test`,
          })
          .where('id', '=', user.id)
          .execute(),
      )
      sessions[who] = await signedIn(services, user)
    }
  }
  await revive()
  return {
    app,
    services,
    headersOf: (who) => sessions[who]!,
    revive,
    errors,
    async close() {
      await app.close()
      await closeServices(services)
    },
  }
}

async function fillProjects(make: ReturnType<typeof makers>, clients: { id: number }[], member: number) {
  const statuses = [
    'requirements',
    'pricing',
    'submit_approval',
    'approved',
    'active',
    'paused',
    'completed',
    'rejected',
  ] as const
  for (const [nth, status] of statuses.entries()) {
    const project = await make.project({
      client_id: clients[nth % 3]!.id,
      status,
      generation: nth % 2 ? 'campaign' : 'project',
      requested_by: nth % 3 ? null : member,
      parent_id: nth === 3 ? 1 : null,
    })
    await make.assign(project.id, 1 + (nth % 3))
    const survey = await make.survey({ project_id: project.id })
    for (let entry = 0; entry < 4; entry++) await make.entry({ project_id: project.id, survey_id: survey.id })
    await make.note({ project_id: project.id, author_id: member })
    await make.question({ survey_id: survey.id, options: '["A","B"]' })
    const activity = await make.activity({ project_id: project.id })
    await make.target({ activity_id: activity.id })
  }
}
