import { z } from 'zod'
import { call, one, wholeNumber } from './call.ts'

/** [kind, id, name, detail] of a record that the caller may see. */
const Entry = z.tuple([z.string(), z.number(), z.string(), z.string()])

/** What the workspace itself needs: the palette's index, live updates and shared layouts. */
export const workspaceCalls = {
  'palette.index': call({
    method: 'GET',
    path: '/v3/portal/palette/index',
    about:
      'Lists every name the caller may see, compact: [kind, id, name, second line]; with since only what changed after that event, and what is gone.',
    input: z.object({ since: wholeNumber(z.number().int().min(0)).optional() }),
    output: z.object({
      cursor: z.number(),
      full: z.boolean(),
      put: z.array(Entry),
      drop: z.array(z.tuple([z.string(), z.number()])),
    }),
  }),
  'live.stream': call({
    method: 'GET',
    path: '/v3/portal/live',
    as: 'stream',
    media: ['text/event-stream'],
    about: 'Streams changes as server-sent events, scoped to the caller; resumes after Last-Event-ID.',
    input: z.object({ after: wholeNumber(z.number().int().min(0)).optional() }),
    output: z.unknown(),
  }),
  'snapshot.create': call({
    method: 'POST',
    path: '/v3/portal/workspaces',
    about: 'Stores a layout of panes permanently; returns its short id.',
    passing: true,
    input: z.object({ layout: z.string().min(2).max(100_000) }),
    output: one(z.object({ id: z.string(), path: z.string() })),
  }),
  'snapshot.get': call({
    method: 'GET',
    path: '/v3/portal/workspaces/{id}',
    about: "Returns a stored layout; what it shows is still read with the reader's own access.",
    input: z.object({ id: z.string().regex(/^[\w-]{6,40}$/, 'is not a workspace id') }),
    output: one(z.object({ id: z.string(), layout: z.string(), created_at: z.string() })),
  }),
  'usage.record': call({
    method: 'POST',
    path: '/v3/portal/usage',
    about: 'Logs that a screen was opened, by its id in the routes table; only where ANALYTICS is on.',
    passing: true,
    input: z.object({ screen: z.string().regex(/^[\w.]{1,60}$/, 'is not a screen') }),
    output: z.object({ counted: z.boolean() }),
  }),
}
