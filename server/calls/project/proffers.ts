import type { Ctx } from '../../core/context.ts'

/** Which answers are meant; nothing said means all. `ended`: a yes that is valid no more. */
interface Which {
  project_id?: number | undefined
  partner_id?: number | undefined
  state?: '' | 'yes' | 'no' | 'ended'
}

/** Sent feasibility answers of projects that aren't deleted. */
const answers = (ctx: Ctx, { project_id, partner_id, state }: Which) => {
  let all = ctx.db
    .selectFrom('proffers')
    .innerJoin('partners', 'partners.id', 'partner_id')
    .innerJoin('projects', 'projects.id', 'proffers.project_id')
    .where('projects.deleted_at', 'is', null)
    .where('proffers.state', '=', 'sent')
  if (project_id !== undefined) all = all.where('proffers.project_id', '=', project_id)
  if (partner_id !== undefined) all = all.where('proffers.partner_id', '=', partner_id)
  if (state) all = all.where('fill_requirements', '=', state === 'no' ? 'No' : 'Yes')
  if (state === 'ended') all = all.where('proffers.valid_until', '<', ctx.today)
  return all
}

/** How many feasibility answers there are. */
export async function countProffers(ctx: Ctx, which: Which): Promise<number> {
  const { count } = await answers(ctx, which)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Feasibility answers with partner names, newest first; clients must never see them (decisions.md 4). */
export const proffersOf = (ctx: Ctx, which: Which) =>
  answers(ctx, which)
    .select([
      'proffers.id',
      'project_id',
      'partner_id',
      'partners.name as company_name',
      'round',
      'fill_requirements',
      'reason',
      'feasible_completes',
      'cpi_cents',
      'incidence',
      'loi_minutes',
      'field_days',
      'valid_until',
      'proffers.created_at',
    ])
    .orderBy('proffers.id', 'desc')
