import { type Kysely, sql } from 'kysely'
import { emailKey } from '../../../contract/fieldKinds.ts'
import { nameKey } from '../../../contract/fold.ts'
import { readIpAddress } from '../../../contract/ipAddress.ts'
import { inPages } from '../online.ts'

/** Tables with a stored key, with what it is made of and within what it is unique. */
const KEYED = [
  { table: 'brands', text: 'name', key: 'name_key', within: [], of: nameKey },
  { table: 'services', text: 'name', key: 'name_key', within: ['brand_id'], of: nameKey },
  { table: 'visit_filters', text: 'name', key: 'name_key', within: ['user_id', 'brand_id'], of: nameKey },
  { table: 'views', text: 'name', key: 'name_key', within: ['user_id', 'screen'], of: nameKey },
  { table: 'vip_awards', text: 'email', key: 'email_key', within: ['experience_id'], of: emailKey },
] as const

/** Folds stored keys again where text isn't plain letters; one that another row has by now stays, to be merged. */
async function foldKeys(db: Kysely<unknown>): Promise<void> {
  for (const { table, text, key, within, of } of KEYED)
    await inPages(db, table, async (after, last) => {
      const { rows } = await sql<{ id: number; text: string; key: string }>`select id, ${sql.ref(text)} as text,
        ${sql.ref(key)} as key from ${sql.table(table)} where id > ${after} and id <= ${last}
        and (octet_length(${sql.ref(text)}) > length(${sql.ref(text)}) or ${sql.ref(text)} like '%  %')`.execute(db)
      for (const row of rows) {
        const folded = of(row.text) ?? row.key
        const same = within.map((column) => sql`and other.${sql.ref(column)} = ${sql.table(table)}.${sql.ref(column)}`)
        if (folded !== row.key)
          await sql`update ${sql.table(table)} set ${sql.ref(key)} = ${folded} where id = ${row.id} and not exists (
            select 1 from ${sql.table(table)} other where other.${sql.ref(key)} = ${folded} ${sql.join(same, sql` `)})`.execute(
            db,
          )
      }
    })
  await inPages(db, 'entries', async (after, last) => {
    const { rows } = await sql<{ id: number; email: string; email_key: string; ip: string }>`
      select id, email, email_key, ip from entries where id > ${after} and id <= ${last}
        and (octet_length(email) > length(email) or ip like '%:%')`.execute(db)
    for (const { id, email, ...was } of rows) {
      const [email_key, ip] = [emailKey(email) ?? was.email_key, readIpAddress(was.ip) ?? was.ip]
      if (email_key !== was.email_key || ip !== was.ip)
        await sql`update entries set email_key = ${email_key}, ip = ${ip} where id = ${id}`.execute(db)
    }
  })
}

/** Keys of names, addresses that rewards go to, and IP addresses, as they are made from now on (contract/fold.ts). */
export const foldedKeys = { prepare: foldKeys, up: foldKeys }
