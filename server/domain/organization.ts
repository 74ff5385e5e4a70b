import type { Selectable } from 'kysely'
import { SETTINGS, Settings } from '../../contract/organizationSettings.ts'
import type { Db, Tx } from '../db/connect.ts'
import type { OrganizationTable } from '../db/schema.ts'

type OrganizationRow = Selectable<OrganizationTable>

/** The organization's defaults until somebody sets them. */
export const ORGANIZATION = {
  name: 'Fieldwork',
  product: 'Fieldwork',
  support_mail: 'support@fieldwork.test',
  support_team: '',
  sender_name: '',
  sender_mail: '',
  reply_to: '',
  mail_footer: '',
} as const
const COLUMNS = Object.keys(ORGANIZATION) as (keyof typeof ORGANIZATION)[]

type Names = Pick<OrganizationRow, keyof typeof ORGANIZATION | 'lock_version'>

/** The organization's names and support address for the quoted messages (decisions.md 8), and its settings. */
export async function organizationOf(db: Db | Tx): Promise<Names & { id: number | null; settings: Settings }> {
  const row = await db
    .selectFrom('organizations')
    .select(['id', ...COLUMNS, 'settings', 'lock_version'])
    .orderBy('id')
    .executeTakeFirst()
  return row ? { ...row, settings: settingsIn(row.settings) } : { id: null, lock_version: 1, ...ORGANIZATION, settings: SETTINGS }
}

/** The sender and reply-to of mails; empty fields have their defaults. */
export const senderOf = ({ product, support_mail, sender_name, sender_mail, reply_to }: Names) => ({
  from: { name: sender_name || product, address: sender_mail || support_mail },
  ...(reply_to ? { replyTo: reply_to } : {}),
})

/** The organization's settings, each with its default. */
export const settingsOf = async (db: Db | Tx): Promise<Settings> => (await organizationOf(db)).settings

/** Parses stored settings; missing and invalid ones get their defaults. */
export function settingsIn(stored: string): Settings {
  const values = JSON.parse(stored) as Record<string, unknown>
  const read = Object.entries(Settings.shape).flatMap(([name, schema]) => {
    const parsed = schema.safeParse(values[name])
    return name in values && parsed.success ? [[name, parsed.data]] : []
  })
  return { ...SETTINGS, ...(Object.fromEntries(read) as Partial<Settings>) }
}
