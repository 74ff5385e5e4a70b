import type { Selectable } from 'kysely'
import type { Db, Tx } from '../db/connect.ts'
import type { OrganizationTable } from '../db/schema.ts'

export type OrganizationRow = Selectable<OrganizationTable>

/** What the installation is called, before anybody has set it. */
export const ORGANIZATION = { name: 'Fieldwork', product: 'Fieldwork', support_mail: 'support@fieldwork.test' } as const

/** The organization's names and support address: the product's name and support team in every quoted message (decisions.md 8). */
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
