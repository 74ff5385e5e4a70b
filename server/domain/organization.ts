import type { Selectable } from 'kysely'
import { SETTINGS, Settings } from '../../contract/settings.ts'
import type { Db, Tx } from '../db/connect.ts'
import type { OrganizationTable } from '../db/schema.ts'

export type OrganizationRow = Selectable<OrganizationTable>

/** The organization's defaults until somebody sets them. */
export const ORGANIZATION = { name: 'Fieldwork', product: 'Fieldwork', support_mail: 'support@fieldwork.test' } as const

type Names = Pick<OrganizationRow, 'name' | 'product' | 'support_mail' | 'lock_version'>

/** The organization's names and support address, which fill the quoted messages (decisions.md 8), and its settings. */
export async function organizationOf(db: Db | Tx): Promise<Names & { id: number | null; settings: Settings }> {
  const row = await db
    .selectFrom('organizations')
    .select(['id', 'name', 'product', 'support_mail', 'settings', 'lock_version'])
    .orderBy('id')
    .executeTakeFirst()
  return row ? { ...row, settings: settingsIn(row.settings) } : { id: null, lock_version: 1, ...ORGANIZATION, settings: SETTINGS }
}

/** The organization's settings, each with its default. */
export const settingsOf = async (db: Db | Tx): Promise<Settings> => (await organizationOf(db)).settings

/** Reads stored settings; a missing one, or one that no longer fits, has its default. */
export function settingsIn(stored: string): Settings {
  const given = JSON.parse(stored) as Record<string, unknown>
  const read = Object.entries(Settings.shape).flatMap(([name, schema]) => {
    const parsed = schema.safeParse(given[name])
    return name in given && parsed.success ? [[name, parsed.data]] : []
  })
  return { ...SETTINGS, ...(Object.fromEntries(read) as Partial<Settings>) }
}
