import { sql } from 'kysely'
import type { Output } from '../../../contract/calls.ts'
import type { Ctx } from '../../core/context.ts'
import { byText } from '../../db/foldedText.ts'

import { COMPANY } from '../user/list.ts'

/** Client users with access to a service, or to one of a brand's, by name. */
export async function usersOfServices(
  { db }: Ctx,
  of: { brand_id?: number | undefined; service_id?: number | undefined },
): Promise<Output<'service.usersOf'>> {
  const rows = await db
    .selectFrom('service_users')
    .innerJoin('services', 'services.id', 'service_users.service_id')
    .innerJoin('users', 'users.id', 'service_users.user_id')
    .where('services.deleted_at', 'is', null)
    .where('users.deleted_at', 'is', null)
    .$if(of.brand_id !== undefined, (query) => query.where('services.brand_id', '=', of.brand_id!))
    .$if(of.service_id !== undefined, (query) => query.where('services.id', '=', of.service_id!))
    .select([
      'users.id',
      'users.first_name',
      'users.last_name',
      'users.email',
      'service_users.service_id',
      sql<string>`coalesce(${sql.raw(COMPANY)}, '')`.as('client_name'),
    ])
    .orderBy(byText(db, 'users.first_name'))
    .orderBy(byText(db, 'users.last_name'))
    .orderBy('users.id')
    .orderBy('service_users.service_id')
    .execute()
  const users = new Map<number, Output<'service.usersOf'>['data'][number]>()
  for (const { service_id, first_name, last_name, client_name, ...row } of rows) {
    const user = users.get(row.id) ?? {
      ...row,
      name: `${first_name} ${last_name}`.trim(),
      client_name,
      service_ids: [],
    }
    user.service_ids.push(service_id)
    users.set(row.id, user)
  }
  return { data: [...users.values()], count: users.size, page: 1 }
}
