import type { QuestionDraft } from '../../../contract/questionRules.ts'
import type { FileStore } from '../../core/ports.ts'
import type { Db } from '../../db/connect.ts'

/** What a vendor needs to know of a survey. */
export interface VendorSurvey {
  id: number
  vendor_survey_id: string
  source_file_id: number | null
}
/** A survey's questions as its vendor has them, in their order. */
export interface QuestionSource {
  /** What they were read from, for people: a file's name. */
  name: string
  questions: readonly (QuestionDraft & { vendor_key: string })[]
}

/**
 * A survey vendor, one file of vendors/ each. A vendor with an API reads its own surveys there.
 */
export interface SurveyVendor {
  /** The vendor's name as `survey_vendor` has it, in lower case; empty for what every survey may use. */
  name: string
  /** Reads the questions; null if this survey has no source here. Throws HttpError 422 if it can't be read. */
  questions(from: { db: Db; files: FileStore }, survey: VendorSurvey): Promise<QuestionSource | null>
}
