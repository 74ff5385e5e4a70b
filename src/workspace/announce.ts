import { atom } from 'jotai'
import { store } from '../data/jotaiStore.ts'
import type { Pane } from '../routing/layout.ts'

/** A text for screen readers, built when it is spoken, because a pane's title may arrive later. */
export type Announcement = (titleOf: (pane: Pane) => string) => string

/** What a key did, announced where nothing else tells. A new object each time. */
export const announcementAtom = atom<{ announcement: Announcement } | null>(null)

/** Announces what a key did to screen readers; a later announcement replaces an earlier one. */
export const announce = (announcement: Announcement): void => store.set(announcementAtom, { announcement: announcement })
