import { PROJECT_PAGE } from '../../contract/pages.ts'
import { route, tab } from './route.ts'

/** Project lists, and one project with its tabs. */
export const projectRoutes = {
  dashboard: route('/dashboard', {
    title: 'Dashboard',
    access: 'client',
    leads: '/dashboard/all-projects',
    about: 'Leads to all projects.',
  }),
  desk: route('/dashboard/desk', {
    title: 'Desk',
    access: 'client',
    menu: { section: 'projects', at: 0 },
    about: 'What needs you, the most valuable first, each with the command that settles it.',
    keywords: 'needs me todo tasks attention waiting alerts behind pace',
  }),
  allProjects: route('/dashboard/all-projects', {
    title: 'All projects',
    access: 'client',
    menu: { section: 'projects', at: 1 },
    aliases: ['/dashboard/allProjects'],
    about: 'Every project with its children, its status and its pacing.',
    keywords: 'v3 list home start',
  }),
  surveyProjects: route('/dashboard/surveyProjects', {
    title: 'Survey projects',
    access: 'client',
    menu: { section: 'projects', at: 2 },
    about: 'Survey projects by status, with their child campaigns.',
    keywords: 'campaigns older v1',
  }),
  v3surveyProjects: route('/dashboard/v3surveyProjects', {
    title: 'Survey progress',
    access: 'client',
    menu: { section: 'projects', at: 3 },
    header: { text: 'v3 survey projects' },
    about: 'The survey projects with a dot for the progress of each.',
    keywords: 'v3 status completion',
  }),
  project: route(PROJECT_PAGE, {
    title: 'Project',
    access: 'client',
    subject: 'project',
    header: { text: 'Project Info', style: 'page-project-info' },
    about: 'One project: its specifications, results, rewards, history and notes.',
    opens: 'overview',
    tabs: {
      specifications: tab('specifications', 'Specifications', 'client', { takesLocations: true }),
      overview: tab('dashboard', 'Overview', 'client'),
      userResponses: tab('userResponses', 'User Responses', 'client'),
      rewardCenter: tab('project-rewarded', 'Reward Center', 'admin'),
      history: tab('history-of-project', 'History', 'admin'),
      notes: tab('project-notes', 'Notes', 'admin'),
      approval: tab('approval', 'Approval', 'admin', {
        hidden: true,
      }),
      activities: tab('activities', 'Activities', 'admin', {
        hidden: true,
      }),
      audience: tab('audience', 'Audience', 'admin', {
        hidden: true,
      }),
      landingPage: tab('landing-page', 'Landing page', 'admin', {
        hidden: true,
      }),
      clientReporting: tab('client-reporting', 'Client reporting', 'admin', {
        hidden: true,
      }),
      offers: tab('offers', 'Offers', 'admin', {
        hidden: true,
      }),
      quotas: tab('quotas', 'Quotas', 'admin', {
        hidden: true,
      }),
      userContent: tab('userContent', 'User Content', 'admin', {
        hidden: true,
      }),
      catalogue: tab('project-rewards', 'Rewards', 'admin', {
        hidden: true,
      }),
      rewardUpload: tab('reward-upload', 'Reward upload', 'admin', {
        hidden: true,
      }),
      reward: tab('reward', 'Reward', 'admin', { hidden: true, shows: 'rewardCenter' }),
      rewardedPerProject: tab('rewarded-per-project', 'Rewarded', 'admin', { hidden: true, shows: 'rewardCenter' }),
      rewards: tab('rewards', 'Rewards', 'admin', { hidden: true, shows: 'catalogue' }),
      vipRewarded: tab('vip-exp-rewarded', 'VIP experiences rewarded', 'admin', {
        hidden: true,
      }),
      vipRewardedList: tab('vip-experiences-rewarded', 'VIP awards', 'admin', {
        hidden: true,
      }),
      vip: tab('project-vip-experiences', 'VIP experiences', 'admin', {
        hidden: true,
      }),
    },
  }),
  surveyProject: route('/dashboard/surveyProInfo/{id}', {
    title: 'Survey project',
    access: 'client',
    subject: 'campaign',
    header: { text: 'Survey Project Info', style: 'page-surveyproinfo' },
    about: 'One survey project: its specifications, results, quotes, history and notes.',
    opens: 'overview',
    tabs: {
      specifications: tab('specifications', 'Specifications', 'client', { takesLocations: true }),
      overview: tab('overview', 'Details', 'client'),
      userResponses: tab('userResponses', 'User Responses', 'client'),
      userContent: tab('userContent', 'User Content', 'client'),
      approval: tab('approval', 'Approval', 'client'),
      history: tab('history', 'History', 'client'),
      notes: tab('notes', 'Notes', 'admin'),
      quotas: tab('quotas', 'Quotas', 'admin', {
        hidden: true,
      }),
      rewardCenter: tab('project-rewarded', 'Reward Center', 'admin', {
        hidden: true,
      }),
      catalogue: tab('project-rewards', 'Rewards', 'admin', {
        hidden: true,
      }),
      rewardUpload: tab('reward-upload', 'Reward upload', 'admin', {
        hidden: true,
      }),
      vipRewarded: tab('vip-exp-rewarded', 'VIP experiences rewarded', 'admin', {
        hidden: true,
      }),
      vipRewardedList: tab('vip-experiences-rewarded', 'VIP awards', 'admin', {
        hidden: true,
      }),
      vip: tab('project-vip-experiences', 'VIP experiences', 'admin', {
        hidden: true,
      }),
    },
  }),
  approvals: route('/dashboard/approval', {
    title: 'Survey projects',
    access: 'admin',
    about: 'The survey projects, with the approval of one.',
  }),
  histories: route('/dashboard/history', {
    title: 'Survey projects',
    access: 'admin',
    about: 'The survey projects, with the history of one.',
  }),
  allNotes: route('/dashboard/notes', {
    title: 'Survey projects',
    access: 'admin',
    about: 'The survey projects, with the notes of one.',
  }),
  activities: route('/dashboard/activities', {
    title: 'Activities',
    access: 'admin',
    menu: { section: 'projects', at: 4 },
    about: 'The activities of every project: surveys, photos, videos, social posts.',
  }),
  activity: route('/dashboard/activity-info/{id}', {
    title: 'Activity',
    access: 'admin',
    subject: 'activity',
    header: { text: 'Activity Info', style: 'page-activity-info' },
    about: 'One activity: its survey, location groups, audience and market.',
    tabs: {
      details: tab('details', 'Details', 'admin'),
      survey: tab('survey', 'Survey', 'admin'),
      locations: tab('locations', 'Location Groups', 'admin', { takesLocations: true }),
      target: tab('target', 'Target Audience', 'admin'),
      market: tab('market', 'Target Market', 'admin'),
    },
  }),
  activityUsers: route('/dashboard/user-activities/{activity_id}', {
    title: 'Who acted',
    access: 'admin',
    about: 'The people who acted on an activity.',
  }),
  rewards: route('/dashboard/rewards', {
    title: 'Rewards',
    access: 'admin',
    menu: { section: 'projects', at: 5 },
    about: 'The rewards that projects pay with.',
  }),
  rewardReceivers: route('/dashboard/reward-receivers', {
    title: 'Reward receivers',
    access: 'admin',
    about: 'Everyone who received a reward.',
  }),
  rewardReceiversPerProject: route('/dashboard/reward-receivers-per-project', {
    title: 'Reward receivers of a project',
    access: 'admin',
    about: 'Who received a reward of one project.',
  }),
} as const
