/** Every quoted message of the two specifications, to the letter (decisions.md 8); they are typed only here. */
export const MESSAGES = {
  cloneConfirm: 'Clone Project. Are you sure?',
  goLiveTitle: 'Survey Project Updated',
  goLiveBody: 'Project is Live',
  startBeforeEnd: 'Start Date has to be before End Date.',
  startBeforeParent: (date: string) => `Start Date cant be before Star Date from Parent Campaign. (${date})`,
  projectName: 'Project Name cannot be blank',
  projectStatus: 'Project Status cannot be blank',
  projectGoal: 'Project Goal cannot be blank',
  projectStart: 'Project Start Date cannot be blank',
  projectEnd: 'Project End Date cannot be blank',
  checkDates: 'Please check Start and End dates',
  activityName: 'Activity Name cannot be blank',
  activityAbout: 'Activity Description cannot be blank',
  selectAsset: 'Please select an asset',
  actionType: 'Activity Action Type cannot be blank',
  noteBlankV1: 'The Note cant be blank',
  noteBlank: 'Note cannot be blank',
  oneAge: 'Please choose at least one age',
  oneGender: 'Please choose at least one gender',
  oneMarket: 'Please choose at least one target market',
  surveyFileOrUrl: 'Please upload a File or add a URL to the survey Project',
  surveyName: 'Survey Name cannot be blank',
  surveyLink: 'Survey Link cannot be blank',
  surveyQuestions: 'Survey Questions cannot be blank',
  surveyId: 'Survey ID cannot be blank',
  chooseProject: 'Please choose a project',
  chooseActivity: 'Please choose an activity',
  noQuestionSource: 'This survey has no question source. Attach a data map or paste questions.',
  surveyQuestionName: 'Question Name cannot be blank',
  questionOrder: 'Question Order must be at least 1',
  totalAnswer: 'Charts leave a row "Total" out.',
  fileTooLarge: (megabytes: number) => `File must be smaller than ${megabytes} MB`,
  fileType: (types: string) => `Invalid file type.  File must be one of following types ${types}`,
  clientName: 'Client Name cannot be blank',
  userName: 'User Name cannot be blank',
  partnerName: 'Partner Name cannot be blank',
  teamName: 'Team Name cannot be blank',
  groupName: 'Group Location Name cannot be blank',
  locationName: 'Location Name cannot be blank',
  locationAddress: 'Location Address cannot be blank',
  phoneBlank: 'Phone Number cant be blank',
  phoneLength: 'Phone Number must be 10 numbers',
  firstName: 'Fist Name cant be blank',
  lastName: 'Last Name cant be blank',
  inviteRole: 'Please select the Role Type to send Invitation',
  inviteClient: 'Please select the Client to send Invitation to',
  inviteEmail: 'The Email is not valid',
  inviteEmailBlank: 'The field Email cant be blank',
  loginName: "The field Username can't be blank",
  loginPassword: "The field Password can't be blank",
  forgotEmailBlank: "The field email can't be blank",
  forgotEmail: 'The field Email is not valid',
  requestName: "The field Name can't be blank",
  requestCompany: "The field Company can't be blank",
  requestEmailBlank: "The field Email can't be blank",
  requestEmail: 'The field Email is not valid',
  requestPhoneBlank: "The field Phone can't be blank",
  requestPhone: 'The field Phone need at least 10 digits',
  requestSent: (team: string) => `Account request sent. The ${team} team will review your information & get back to you shortly.`,
  passwordBlank: 'The password cannot be blank!',
  passwordMatch: 'The password confirmation need to match',
  passwordFailed: (support: string) => `There was an error changing your Password. Contact ${support} Support`,
  assetMissing: 'Please select an asset',
  questionName: 'question name cannot be blank',
  vipName: 'Vip Experience Name cannot be blank',
  landingRequired: 'All fields marked (*) are required.',
  /** Our own messages. */
  notificationName: 'Notification Name cannot be blank',
  notificationMessage: 'Notification Message cannot be blank',
  notificationUrl: 'Enter a web address',
  groupTaken: 'A group of this client already has this name.',
  bothCoordinates: 'Give both coordinates, or none.',
  chooseLocation: 'Choose a location',
  chooseGroup: 'Choose a location group',
  assetType: 'Please choose an asset type',
  topLevelOnly: 'Only a top-level project has children.',
  rewardProvider: 'A reward amount needs the second provider: send partner_id 600',
  goalBeforeLive: 'Set a goal before it goes live.',
  occasionName: 'Name cannot be blank',
  occasionStart: 'Start Date cannot be blank',
  occasionEnd: 'End Date cannot be blank',
  scheduleName: 'Schedule Name cannot be blank',
  teamLength: 'Use at most 200 characters',
  teamTaken: 'A team of this client already has this name.',
  teamClient: 'A team stays with its client.',
  chooseClient: 'Choose a client',
  chooseUser: 'Choose at least one user',
  chooseTeamProject: 'Choose a project',
  everything: 'Administrators see everything already.',
  otherClient: (project: string) => `“${project}” belongs to another client.`,
  actAsReason: 'Please say why you act as this user.',
  passwordChanged: 'Your password was changed, please go to Login page',
} as const

/** The password rule, which the server checks everywhere (decisions.md 7). */
export const PASSWORD_RULE =
  'The password needs at least 8 characters with a lower-case letter, an upper-case letter, a symbol and a digit'
/** True if a password meets the rule. */
export function strongPassword(text: string): boolean {
  return (
    text.length >= 8 &&
    text.length <= 256 &&
    /[a-z]/.test(text) &&
    /[A-Z]/.test(text) &&
    /\d/.test(text) &&
    /[^A-Za-z0-9]/.test(text)
  )
}
/** True for an address that mail can be sent to: something@domain.tld without spaces. */
export const isEmail = (text: string): boolean =>
  text.length <= 254 && /^[^\s@<>()",;:\\]+@[^\s@.<>(),;:\\"]+(\.[^\s@.<>(),;:\\"]+)+$/.test(text)
