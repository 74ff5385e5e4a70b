import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  type EntryParameter,
  entryText,
  GRACE,
  outcomeText,
  PID_LENGTH,
  readEntry,
  SESSION_OUTCOMES,
  type SessionOutcome,
} from '../../contract/sessionRules.ts'
import { ANONYMOUS } from '../core/caller.ts'
import type { Services } from '../core/context.ts'
import { HttpError } from '../core/errors.ts'
import { toHttpError } from '../core/httpErrors.ts'
import { addressBuckets, addressOf, consume } from '../core/rateLimit.ts'
import { hashToken } from '../core/secrets.ts'
import { inSurveyTurn } from '../core/surveyTurn.ts'
import { asSystem } from '../core/unitOfWork.ts'
import { type DoorPage, pageOf } from '../domain/fieldSession/doorPage.ts'
import { endSession } from '../domain/fieldSession/endSession.ts'
import { exitOf, type LinkRow, linkOf, partnerSecrets, surveySecrets } from '../domain/fieldSession/entryLinks.ts'
import { type OpenLink, readLink, sessionOf } from '../domain/fieldSession/openLink.ts'
import { checkSignature, signatureFor } from '../domain/fieldSession/signing.ts'
import { announceTraffic } from '../domain/fieldSession/trafficNews.ts'
import { admissionDesk } from '../domain/quota/admission.ts'
import { readProfile } from '../domain/quota/quotaProfile.ts'
import { newRid } from '../domain/quota/rid.ts'

/** How long a link's row is as good as new: a pause acts by then. */
const COPY_MS = 200
const MOST_COPIES = 10_000

/** The addresses that respondents open: into a survey, and out of it. They answer with redirects and plain pages. */
export function mountDoor(app: FastifyInstance, services: Services): void {
  const links = new Map<string, { found: Promise<OpenLink | null>; at: number }>()
  const openLink = (token: string): Promise<OpenLink | null> => {
    const known = links.get(token)
    if (known && performance.now() - known.at < COPY_MS) return known.found
    if (links.size >= MOST_COPIES) links.clear()
    const found = readLink(services, token)
    links.set(token, { found, at: performance.now() })
    found.catch(() => links.delete(token))
    return found
  }
  const options = { exposeHeadRoute: false }
  app.get<{ Params: { token: string } }>('/e/:token', options, (request, reply) =>
    answering(services, request, reply, () => enter(services, openLink, request)),
  )
  app.get<{ Params: { rid: string } }>('/x/:rid', options, (request, reply) =>
    answering(services, request, reply, () => leave(services, request)),
  )
}

/** Where somebody goes, or the page that they see. */
type Answer = { to: string } | { page: DoorPage; detail?: string; wait?: number }

async function answering(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<Answer>,
): Promise<FastifyReply> {
  reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
  const answer = await work().catch((error: unknown): Answer => {
    const known = error instanceof HttpError ? error : toHttpError(services.database, error)
    if (known?.status === 429) return { page: 'wait', wait: retryOf(known) }
    if (known?.status !== 503) request.log.error({ err: error }, 'a respondent could not be served')
    return { page: 'busy', wait: retryOf(known) }
  })
  if ('to' in answer) return reply.redirect(answer.to, 302)
  const { status, html } = pageOf(answer.page, answer.detail)
  if (answer.wait) reply.header('retry-after', String(answer.wait))
  return reply.code(status).type('text/html; charset=utf-8').send(html)
}
const retryOf = (error: { more?: object } | null): number => Number((error?.more as { retry_after?: number })?.retry_after ?? 2)

const secondsIn = (text: string | undefined): number | undefined => (text && /^\d{1,12}$/.test(text) ? Number(text) : undefined)
const queryOf = ({ query }: FastifyRequest) => (query ?? {}) as Record<string, unknown>

async function enter(
  services: Services,
  openLink: (token: string) => Promise<OpenLink | null>,
  request: FastifyRequest<{ Params: { token: string } }>,
): Promise<Answer> {
  const found = /^[\w-]{22}$/.test(request.params.token) ? await openLink(request.params.token) : null
  if (!found) return { page: 'unknown' }
  const { link, live, survey_link, cpi_cents } = found
  const { values } = readEntry(queryOf(request), JSON.parse(link.param_map) as Partial<Record<EntryParameter, string>>)
  const { pid = '', t, sig, ...words } = values
  if (!pid || pid.length > PID_LENGTH || /[\p{Cc}\p{Cs}]/u.test(pid)) return { page: 'incomplete' }
  const now = services.now()
  const signature = link.require_signature
    ? checkSignature(partnerSecrets(services, link, now.toISOString()), (at) => entryText(link.token, pid, at), {
        ...{ t: secondsIn(t), sig, now, grace: GRACE.redirect },
      })
    : 'fine'
  const desk = admissionDesk(services)
  const plan = await desk.planOf(link.survey_id)
  const against = {
    ...(plan?.against ?? { questions: new Set<number>(), open: new Set<number>(), options: new Map<number, never>() }),
    now,
  }
  // What a link says wrongly of a person isn't known of them: the survey's first question confirms.
  const known = Object.fromEntries(Object.entries(words).filter(([name, value]) => isProfile(name, value, against)))
  const profile = readProfile(known, link.partner_id, against)
  const [decision] = await desk.admit([
    {
      ...{ survey_id: link.survey_id, partner_id: link.partner_id, pid, rid: newRid(now) },
      profile: profile as Record<string, string>,
      entry: {
        ...{ link_id: link.id, project_id: link.project_id, live, signature, most: link.max_entrants_minute, cpi_cents },
        excludes: JSON.parse(link.exclude_project_ids) as number[],
        test: link.state === 'test',
        ip: addressOf(request),
        device_hash: deviceOf(services, link.survey_id, request),
        profile: JSON.stringify(words),
      },
    },
  ])
  const { rid, outcome, reason } = decision!.door!
  if (outcome === 'wait') return { page: 'wait', wait: 60 }
  if (outcome === 'admitted') return { to: surveyAddress(services, link, survey_link, { rid, pid }) }
  const to = exitOf(services, link, outcome, { pid, rid, reason: reason.startsWith('cell:') ? 'full' : reason })
  if (to) return { to }
  if (reason === 'stale_signature') return { page: 'stale', detail: now.toISOString() }
  return { page: outcome }
}

/** True for a value that intake reads; numbers arrive as text. */
function isProfile(name: string, value: string, against: Parameters<typeof readProfile>[2]): boolean {
  return !('errors' in readProfile({ [name]: value }, null, against))
}

/** The survey's address for somebody who was let in, signed with its secret. */
function surveyAddress(services: Services, link: LinkRow, address: string, { rid, pid }: { rid: string; pid: string }): string {
  const now = services.now()
  const t = Math.floor(now.getTime() / 1000)
  const [secret] = surveySecrets(services, link, now.toISOString())
  const url = new URL(address)
  url.searchParams.set('rid', rid)
  url.searchParams.set('pid', pid)
  url.searchParams.set('t', String(t))
  url.searchParams.set('sig', secret ? signatureFor(secret, outcomeText(rid, 'entered', t)) : '')
  return url.href
}

/** What a device is recognized by within one survey: the salt is the survey's own. */
function deviceOf({ secrets }: Services, survey_id: number, { headers }: FastifyRequest): string {
  const device = [headers['user-agent'], headers['accept-language'], headers['sec-ch-ua-platform']].join('\n')
  return hashToken(secrets.sign('device', `${survey_id}\n${device}`, 0))
}

async function leave(services: Services, request: FastifyRequest<{ Params: { rid: string } }>): Promise<Answer> {
  const { rid } = request.params
  const { o, t, sig, reason } = queryOf(request)
  const outcome = SESSION_OUTCOMES.find((one) => one === o)
  if (!/^[\w-]{8,40}$/.test(rid)) return { page: 'unknown' }
  if (!outcome) return { page: 'incomplete' }
  await consume(services, addressBuckets(addressOf(request), { key: 'exit:', burst: 300, every: 200 }))
  const { db } = services.database
  const session = await sessionOf(db, rid)
  const link = session && session.early === '' ? await linkOf(db, session.link_id) : undefined
  if (!session || !link) return { page: 'unknown' }
  const now = services.now()
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
  const signed = checkSignature(surveySecrets(services, link, now.toISOString()), (at) => outcomeText(rid, outcome, at), {
    ...{ t: secondsIn(text(t)), sig: text(sig), now, grace: GRACE.redirect },
  })
  const words = (text(reason) ?? '').trim().slice(0, 100)
  const ended = await inSurveyTurn(services, session.survey_id, () =>
    asSystem(services, 'fieldSession.outcome', ANONYMOUS, (ctx) =>
      endSession(ctx as never, link, rid, {
        ...{ outcome, seconds: null, respondent: null },
        proof: signed === 'fine' ? 'redirect' : 'none',
        reason: signed === 'stale' && outcome === 'complete' ? 'stale_signature' : words,
      }),
    ),
  )
  announceTraffic(services, session)
  if (ended.effect === 'claims') return { page: 'ended' }
  const state = ended.session.state as SessionOutcome
  const to = exitOf(services, link, state, { pid: session.pid, rid, reason: ended.session.reason })
  return to ? { to } : { page: state === 'complete' ? 'complete' : 'ended' }
}
