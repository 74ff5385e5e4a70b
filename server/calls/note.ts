import { type SqlBool, sql } from 'kysely'
import { allowedActions, denialOf } from '../../contract/access.ts'
import { isBlank } from '../../contract/fieldKinds.ts'
import type { noteCalls } from '../../contract/note.ts'
import { noteFields, olderNoteFields } from '../../contract/noteFields.ts'
import { add, change } from '../core/change.ts'
import type { Ctx } from '../core/context.ts'
import { describeEffect } from '../core/describeEffect.ts'
import { assertAllowed, invalid, notFound } from '../core/errors.ts'
import type { HandlersOf } from '../core/handler.ts'
import { type Paged, pageOf } from '../core/keyset.ts'
import { changedSince, matches } from '../core/listSearch.ts'
import { pick } from '../core/pick.ts'
import { seenProject } from '../domain/project/detail.ts'
import { projectFacts } from '../domain/project/projectRows.ts'
import { sendMessage } from './message/writeMessage.ts'

const notes = (ctx: Ctx) =>
  ctx.db
    .selectFrom('notes')
    .innerJoin('users', 'users.id', 'author_id')
    .select([
      'notes.id',
      'project_id',
      'note',
      'author_id',
      'first_name',
      'last_name',
      'notes.created_at',
      'notes.updated_at',
      'notes.lock_version',
    ])
const shown = <N extends { first_name: string; last_name: string }>(
  ctx: Pick<Ctx, 'actor'>,
  { first_name, last_name, ...note }: N,
) => ({
  ...note,
  author: `${first_name} ${last_name}`,
  ...(allowedActions('note', ctx.actor) as { allowed_actions: string[]; refused_actions: Record<string, string> }),
})

/** Throws a 422 for a blank note, with the text of the project's generation. */
function assertNotBlank({ generation }: { generation: string }, typed: string): void {
  const { note } = generation === 'campaign' ? olderNoteFields : noteFields
  if (isBlank(typed)) throw invalid('note', note.required, 'required')
}

/** A note of a project that the caller sees, and the project. */
async function seenNote(ctx: Ctx, id: number) {
  const note = await notes(ctx).where('notes.id', '=', id).executeTakeFirst()
  if (!note) throw notFound(`Note ${id}`)
  return { note, project: await seenProject(ctx, note.project_id) }
}

async function listNotes(ctx: Ctx, input: Paged & { id: number; search: string; updated_since?: string | undefined }) {
  await seenProject(ctx, input.id)
  const since = input.updated_since
  const searched = matches(ctx.services.database, ['notes.note'], input.search)
  const found = since ? sql<SqlBool>`${searched} and ${changedSince(since, [sql`notes.updated_at`])}` : searched
  const mine = notes(ctx).where('project_id', '=', input.id).where(found)
  const { count } = await ctx.db
    .selectFrom('notes')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('project_id', '=', input.id)
    .where(found)
    .executeTakeFirstOrThrow()
  const rows = await pageOf(ctx, mine, [{ by: sql.ref('notes.id'), way: 'desc', full: true }], input)
  return { data: rows.map((row) => shown(ctx, row)), count: Number(count), page: input.page }
}

/** Adds a note by the caller, with its history line; the event goes to administrators, who alone read notes. */
async function addNote(ctx: Ctx, project_id: number, note: string): Promise<number> {
  const also = { project_id, author_id: ctx.actor.id }
  const change = { noun: 'note', project_id, audience: 'admin' } as const
  return add(ctx, 'notes', { subject: 'note', values: { note }, also, line: { project_id }, change })
}

/** A note can't move: a `project_id` in its edit must be its own project's. */
function assertSameProject(sent: number | undefined, project_id: number): void {
  if (sent !== undefined && sent !== project_id) throw invalid('project_id', 'project_id is not the project of this note')
}

export const noteHandlers: HandlersOf<typeof noteCalls> = {
  'note.list': (ctx) => listNotes(ctx, ctx.input),

  'note.get': async (ctx) => ({ data: shown(ctx, (await seenNote(ctx, ctx.input.id)).note) }),

  'note.create': async (ctx) => {
    const { project_id, note } = ctx.input
    const project = await seenProject(ctx, project_id)
    assertNotBlank(project, note)
    const id = await addNote(ctx, project_id, note)
    const { first_name, last_name } = ctx.user
    const stamps = { created_at: ctx.now, updated_at: ctx.now, lock_version: 1 }
    const added = { id, project_id, note, author_id: ctx.actor.id, ...stamps, first_name, last_name }
    return { data: shown(ctx, added), message: describeEffect(ctx, 'note.create', { name: project.name }) }
  },

  'project.ask': async (ctx) => {
    const { id, note } = ctx.input
    const record = await seenProject(ctx, id)
    assertAllowed(denialOf('project.ask', ctx.actor, await projectFacts(ctx, record)))
    await sendMessage(ctx, record, null, { side: 'client', text: note })
    return { message: describeEffect(ctx, 'project.ask', { words: ['your question', 'your questions'] }) }
  },

  'note.edit': async (ctx) => {
    const { note_id: id, note, lock_version } = ctx.input
    const seen = await seenNote(ctx, id)
    const { project_id } = seen.note
    assertSameProject(ctx.input.project_id, project_id)
    assertNotBlank(seen.project, note)
    const saved = await change(ctx, 'notes', {
      subject: 'note',
      id,
      patch: { note },
      lock: lock_version,
      line: { project_id },
      change: { noun: 'note', project_id, audience: 'admin' },
    })
    const written = pick(saved, ['note', 'updated_at', 'lock_version'])
    return { data: shown(ctx, { ...seen.note, ...written }), message: describeEffect(ctx, 'note.edit', { noun: 'note' }) }
  },

  'note.remove': async (ctx) => {
    const id = ctx.input.id ?? ctx.input.note_id
    if (!id) throw invalid('note_id', 'note_id is required')
    const { project_id, note } = (await seenNote(ctx, id)).note
    assertSameProject(ctx.input.project_id, project_id)
    await ctx.tx.deleteFrom('notes').where('id', '=', id).execute()
    await ctx.record({ subject: 'note', subject_id: id, project_id, before: { note } })
    ctx.emit({ noun: 'note', id, project_id, audience: 'admin', kind: 'drop' })
    return { message: describeEffect(ctx, 'note.remove', { noun: 'note' }) }
  },
}
