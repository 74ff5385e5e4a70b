import type { z } from 'zod'
import { nameKey } from '../../contract/foldText.ts'
import type { profferCalls } from '../../contract/proffer.ts'
import { readStatus } from '../../contract/status.ts'
import type { Ctx } from '../core/context.ts'
import { describeEffect } from '../core/describeEffect.ts'
import { HttpError, invalid } from '../core/errors.ts'
import { type HandlersOf, ownTransaction } from '../core/handler.ts'
import { keepAnswer, type SentAnswer, shownAnswer } from '../domain/quote/answers.ts'
import { closedAt, type OpenRequest, requestFor, titleOf } from '../domain/quote/invitations.ts'
import { mailAnswer } from './quote/partnerMail.ts'

type Fields = Omit<z.output<(typeof profferCalls)['proffer.quote']['input']>, 'project_id' | 'status'> & {
  company_name?: string | undefined
}

/** Throws a 422 for a changed name or description, which an answer can't change (decisions.md 13, Writes). */
function refuseOther({ record, invitation, byPartner }: OpenRequest, fields: Fields): void {
  const read = {
    // A partner never learns our own name of the project, not even by comparison.
    name: [titleOf(invitation, record), ...(byPartner ? [] : [record.name])],
    description: [invitation.message, ...(byPartner ? [] : [record.description])],
  }
  for (const [name, values] of Object.entries(read)) {
    const sentValue = fields[name as keyof typeof read]
    if (sentValue !== undefined && !values.some((value) => value.trim() === sentValue.trim()))
      throw invalid(name, `${name} can’t be changed here`)
  }
}

/** Stores the answer in one transaction; a late answer is stored as a draft, then refused. */
async function answer(ctx: Ctx, project_id: number, fields: Fields, how: { draft: boolean; binding: boolean }) {
  const sent: SentAnswer = { ...fields, ...how }
  const { answer: done } = await ctx.writeIdempotent(ctx.input, async (writing) => {
    const request = await requestFor(writing, project_id, fields.partner_id, { toWrite: true })
    refuseOther(request, fields)
    const outcome = await keepAnswer(writing, request, sent)
    if (outcome.answer.state === 'sent')
      await mailAnswer(writing, request.record, request.invitation, outcome.answer, request.partner.name)
    const closed = outcome.closed ? await closedAt(writing, request.record, request.invitation.round) : null
    // What the partner calls itself is taken; the answer shows the name that its record has.
    const company = fields.company_name?.trim()
    const warnings = [...outcome.warnings]
    if (company && nameKey(company) !== nameKey(request.partner.name))
      warnings.push(`The company stays ${request.partner.name}: an answer doesn’t rename it`)
    return { data: shownAnswer(outcome.answer), warnings, closed, quoted: outcome.quoted }
  })
  if (done.closed)
    throw new HttpError(409, 'round_closed', 'This round is closed. Your draft is kept.', { date: done.closed, draft: done.data })
  const rest = done.quoted ? ', and the project is quoted' : ''
  const message = how.draft
    ? describeEffect(ctx, 'proffer.draft', { words: ['draft', 'drafts'] })
    : describeEffect(ctx, how.binding ? 'proffer.quote' : 'proffer.create', { words: ['answer', 'answers'], rest })
  return { data: done.data, warnings: done.warnings, message }
}

/** Partners' answers by their link; administrators give the partner and a reason. */
export const profferHandlers: HandlersOf<typeof profferCalls> = {
  'proffer.create': ownTransaction('writeIdempotent', async (ctx) => {
    const { campaign_id, draft, ...fields } = ctx.input
    return answer(ctx, campaign_id, fields, { draft, binding: false })
  }),
  'proffer.quote': ownTransaction('writeIdempotent', async (ctx) => {
    const { project_id, status, ...fields } = ctx.input
    if (status !== undefined && readStatus(status) !== 'submit_approval') throw invalid('status', 'status must be Quoted here')
    return answer(ctx, project_id, fields, { draft: false, binding: true })
  }),
}
