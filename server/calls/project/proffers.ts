import type { Ctx } from '../../core/context.ts'

/** Feasibility answers with the partner's name; admins only, as clients never see a partner's price (decisions.md 4). */
export const proffersOf = (ctx: Ctx) =>
  ctx.db
    .selectFrom('proffers')
    .innerJoin('partners', 'partners.id', 'partner_id')
    .innerJoin('projects', 'projects.id', 'proffers.project_id')
    .where('projects.deleted_at', 'is', null)
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
