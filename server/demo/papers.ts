import type { Insertable } from 'kysely'
import type { FileTable } from '../db/schema.ts'
import { APPROVAL, PHOTOS, QUESTIONNAIRE } from './fixtures.ts'
import { type ProjectPlan, reached } from './plan.ts'
import type { Random } from './random.ts'
import { rowOf } from './rowDefaults.ts'

/** A file's row and its content. */
export interface Paper {
  row: Insertable<FileTable>
  content: Buffer
}

/** A project's files: questionnaire, creative, location list and signed document. */
export function papersOf(
  random: Random,
  plan: ProjectPlan,
  firstId: number,
  by: { requester: number; admin: number },
  at: string,
  places: readonly { name: string; address: string }[],
): Paper[] {
  const papers: Paper[] = []
  const add = (
    kind: FileTable['kind'],
    asset_type: string,
    original_name: string,
    mime: string,
    content: Buffer,
    uploaded_by: number | null,
  ) => {
    papers.push({
      content,
      row: rowOf('files', at, {
        id: firstId + papers.length,
        project_id: plan.id,
        kind,
        asset_type,
        original_name,
        storage_key: `demo/${plan.id}/${papers.length + 1}.${original_name.split('.').at(-1)}`,
        mime,
        size: content.length,
        uploaded_by,
      }),
    })
  }
  if (random.chance(0.8))
    add('document', 'Survey Document', `Questionnaire ${plan.product}.pdf`, 'application/pdf', QUESTIONNAIRE, by.requester)
  if (plan.content || random.chance(0.35))
    add(
      'asset',
      'Creative Assets',
      `${plan.product} shelf.jpg`,
      'image/jpeg',
      PHOTOS[plan.id % PHOTOS.length]!.content,
      by.requester,
    )
  if (places.length) {
    const list = ['name,address', ...places.map((place) => `"${place.name}","${place.address}"`)].join('\r\n')
    add('location', 'Location List', 'locations.csv', 'text/csv', Buffer.from(`${list}\r\n`), by.admin)
  }
  const signed = reached(plan, 'approved') && (plan.generation === 'campaign' || random.chance(0.25)) ? 1 : 0
  for (let nth = 0; nth < (plan.documents ?? signed); nth++) {
    add(
      'docsign',
      '',
      `${nth ? 'Statement of work' : 'Signed approval'} P-${plan.id}.pdf`,
      'application/pdf',
      APPROVAL,
      by.requester,
    )
  }
  return papers
}
