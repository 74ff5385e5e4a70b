import type { Ctx } from '../../core/context.ts'

/** Feasibility answers of one project, or of all that aren't deleted. */
const answers = (ctx: Ctx, project_id?: number) => {
  const all = ctx.db
    .selectFrom('proffers')
    .innerJoin('partners', 'partners.id', 'partner_id')
    .innerJoin('projects', 'projects.id', 'proffers.project_id')
    .where('projects.deleted_at', 'is', null)
    .where('proffers.state', '=', 'sent')
  return project_id === undefined ? all : all.where('proffers.project_id', '=', project_id)
}

/** How many feasibility answers there are. */
export async function countProffers(ctx: Ctx, project_id?: number): Promise<number> {
  const { count } = await answers(ctx, project_id)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Feasibility answers with partner names, newest first; clients must never see them (decisions.md 4). */
export const proffersOf = (ctx: Ctx, project_id?: number) =>
  answers(ctx, project_id)
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
