import type { Selectable } from 'kysely'
import type { Db, Tx } from '../db/connect.ts'
import type { OrganizationTable } from '../db/schema.ts'

export type OrganizationRow = Selectable<OrganizationTable>

/** The organization's defaults until somebody sets them. */
export const ORGANIZATION = { name: 'Fieldwork', product: 'Fieldwork', support_mail: 'support@fieldwork.test' } as const

/** The organization's names and support address, which fill the quoted messages (decisions.md 8). */
export async function organizationOf(
  db: Db | Tx,
): Promise<Pick<OrganizationRow, 'name' | 'product' | 'support_mail' | 'lock_version'> & { id: number | null }> {
  const row = await db
    .selectFrom('organizations')
    .select(['id', 'name', 'product', 'support_mail', 'lock_version'])
    .orderBy('id')
    .executeTakeFirst()
  return row ?? { id: null, lock_version: 1, ...ORGANIZATION }
}
