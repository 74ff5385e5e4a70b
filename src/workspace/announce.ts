import { atom } from 'jotai'
import { store } from '../data/jotaiStore.ts'
import type { Pane } from '../routing/layout.ts'

/** Words for who listens, made when they are said, as a pane's title may come a moment after it. */
export type Announcement = (titleOf: (pane: Pane) => string) => string

/** What a key did, said by the workspace's region where nothing else says it. A new object each time. */
export const announcementAtom = atom<{ tell: Announcement } | null>(null)

/** Says what a key did to who can't see it; a later word takes the place of an earlier one. */
export const announce = (tell: Announcement): void => store.set(announcementAtom, { tell })
