import pino from 'pino'
import { readSettings } from '../../../server/core/settings.ts'
import { closeServices, createServices } from '../../../server/services.ts'
import { signedIn } from '../../api/calling.ts'
import { makers } from '../../support/makers.ts'

/** A small marketplace, before its server starts: who is signed in, and where a client user's media go. */
export interface Place {
  settings: Record<string, string>
  client_id: number
  project_id: number
  activity_id: number
  admin: Record<string, string>
  member: Record<string, string>
}

/** Makes a client with a project and an activity, an administrator and a client user. */
export async function openPlace(env: Record<string, string>): Promise<Place> {
  const limits = 'upload_mb_hour=1000000,upload_mb_day=1000000,upload_files_day=1000000'
  const settings = { ...env, DEMO: 'none', LOG_LEVEL: 'warn', LIMITS: [env.LIMITS, limits].filter(Boolean).join(',') }
  const services = await createServices(readSettings(settings), pino({ level: 'silent' }))
  await services.jobs.close()
  const make = makers(services)
  const client = await make.client()
  const project = await make.project({ client_id: client.id, status: 'active' })
  const activity = await make.activity({ project_id: project.id })
  const admin = await signedIn(services, await make.user({ role: 'admin', email: 'admin@fieldwork.test' }))
  const member = await signedIn(services, await make.user({ email: 'client@fieldwork.test', clients: [client.id] }))
  await closeServices(services)
  return { settings, client_id: client.id, project_id: project.id, activity_id: activity.id, admin, member }
}
