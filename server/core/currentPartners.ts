import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'

interface PartnerRow {
  id: number
  deleted_at: string | null
  /** The newest line of its history, if it was deleted. */
  line: string | null
}

/** The partner that ids stand for: itself, or the one that it was merged into; null if that was deleted. */
export async function currentPartners(db: Db): Promise<Map<number, number | null>> {
  const { rows } = await sql<PartnerRow>`select id, deleted_at, case when deleted_at is not null then (
      select after from history where subject = 'partner' and subject_id = partners.id order by id desc limit 1
    ) end as line from partners`.execute(db)
  const next = new Map(rows.map(({ id, deleted_at, line }) => [id, deleted_at === null ? id : mergedInto(line)]))
  const follow = (id: number): number | null => {
    let at: number | null = id
    const seen = new Set<number>()
    while (at !== null && next.get(at) !== at) {
      if (seen.has(at)) return null
      seen.add(at)
      at = next.get(at) ?? null
    }
    return at
  }
  return new Map(rows.map(({ id }) => [id, follow(id)]))
}

function mergedInto(line: string | null): number | null {
  const { merged_into } = JSON.parse(line || '{}') as { merged_into?: unknown }
  return typeof merged_into === 'number' ? merged_into : null
}
