import type { Locale } from 'baigong';

/** Texts about people who are asked, and turns that wait for them. */
export const approvalTexts = {
  approvalsDescription: { en: 'list and answer what waits for a person', zh: '列出并处理等待人工答复的事项' },
  approvalsListDescription: { en: 'list what is open', zh: '列出待处理项' },
  approvalsShowDescription: { en: 'show the whole card', zh: '查看完整卡片' },
  approvalsApproveDescription: { en: 'approve one call, after one more look at it', zh: '再次确认后批准一次调用' },
  approvalsDenyDescription: { en: 'deny one call, or decline a question', zh: '拒绝一次调用，或拒绝回答提问' },
  approvalsAnswerDescription: { en: 'answer a question', zh: '回答提问' },
  resumeDescription: {
    en: 'go on with turns that can: those that are answered, and those of programs that ended',
    zh: '继续可以继续的回合：已得到答复的，以及程序中断遗留的',
  },
  turnsCancelDescription: { en: 'end a turn, wherever it runs or waits', zh: '结束某个回合，无论它在何处运行或等待' },
  optionAll: { en: 'those that are closed too', zh: '包括已结束的' },
  optionReason: { en: 'why; the model is told', zh: '理由，会告知模型' },
  optionYes: { en: 'do not ask once more', zh: '不再确认' },
  optionApprovalMode: {
    en: 'what is asked about: approve, auto, reviewer or deny',
    zh: '审批模式：approve、auto、reviewer 或 deny',
  },
  argumentCode: { en: 'the code of the card', zh: '卡片上的编号' },
  argumentAnswer: { en: 'the answer', zh: '回答' },
  noAsks: { en: 'Nothing waits for a person.', zh: '没有等待人工答复的事项。' },
  noAsk: { en: 'There is nothing under the code {code}.', zh: '没有编号为 {code} 的事项。' },
  notAPerson: {
    en: 'Nothing was answered: approvals are given by a person at a terminal that shows the card (standard input and standard error); this is none.',
    zh: '未做任何处理：审批须由人在能显示审批卡的终端中给出（标准输入和标准错误都是终端），而当前并非如此。',
  },
  insideCall: {
    en: 'Nothing was answered: this runs inside a tool of an agent, which cannot approve.',
    zh: '未做任何处理：当前运行在智能体的工具之内，不能进行审批。',
  },
  approveQuestion: { en: 'Approve? [y/N] ', zh: '批准？[y/N] ' },
  answerQuestion: { en: 'Your answer: ', zh: '你的回答：' },
  yesOrNo: { en: 'Please answer y (approve) or n (deny).', zh: '请输入 y（批准）或 n（拒绝）。' },
  oneOfOptions: { en: 'Please answer with one of the options, or its number.', zh: '请从选项中选择，或输入其编号。' },
  notApproved: { en: 'Nothing was done.', zh: '未做任何处理。' },
  answeredElsewhere: { en: '{code}: answered elsewhere ({state}).', zh: '{code}：已在别处处理（{state}）。' },
  askExpired: { en: '{code}: nobody answered in time.', zh: '{code}：无人及时答复。' },
  asksElsewhere: {
    en: 'In other sessions: {count} ("baigong approvals list")',
    zh: '其他会话中还有 {count} 项（"baigong approvals list"）',
  },
  turnHeld: {
    en: 'The program waits for an answer, since the tool cannot be put aside:',
    zh: '工具无法暂存，程序正在等待答复：',
  },
  goesOn: {
    en: 'It goes on in the program that waits for it, else with "baigong resume".',
    zh: '等待它的程序会继续处理；若该程序已结束，请执行 "baigong resume"。',
  },
  noSuchSubcommand: { en: 'error: unknown command "{word}"', zh: '错误：没有子命令“{word}”' },
  whichAsk: { en: 'Several wait; give a code:', zh: '有多项待处理，请给出编号：' },
  turnParked: { en: 'The turn waits; it goes on when it is answered:', zh: '本回合正在等待，得到答复后会继续：' },
  turnLeft: {
    en: 'The turn was put aside; the next program that is started here goes on with it.',
    zh: '本回合已暂存，此项目的下一个程序会继续处理。',
  },
  parkedLine: {
    en: '{code}  {tool}  baigong approvals approve {code}',
    zh: '{code}  {tool}  baigong approvals approve {code}',
  },
  parkedQuestion: {
    en: '{code}  {tool}  baigong approvals answer {code} …',
    zh: '{code}  {tool}  baigong approvals answer {code} …',
  },
  replyFollows: { en: 'Reply to an earlier message:', zh: '对先前消息的回复：' },
  replyOf: { en: 'Session {session}:', zh: '会话 {session}：' },
  replyFate: {
    en: 'A reply in session {session} may or may not have been shown (turn {turn}): baigong turns show {turn}',
    zh: '会话 {session} 的一条回复可能已显示也可能未显示（回合 {turn}）：baigong turns show {turn}',
  },
  lateResult: {
    en: 'The call ended here after another program had taken the turn over ({status}); it is noted in the record only.',
    zh: '调用在此结束时，该回合已由另一程序接手（{status}）；结果仅记入记录。',
  },
  nothingToResume: { en: 'Nothing can go on now.', zh: '目前没有可以继续的回合。' },
  turnCancelled: { en: 'Cancelled: {turns}', zh: '已取消：{turns}' },
  onlyWaits: {
    en: 'Nothing runs. What waits is ended by "/deny CODE" or "baigong turns cancel ID".',
    zh: '没有正在运行的回合。要结束等待中的回合，请使用 "/deny 编号" 或 "baigong turns cancel ID"。',
  },
  nothingToCancel: { en: 'Nothing runs that could be cancelled.', zh: '没有可以取消的回合。' },
  cancelAsked: { en: 'wanted to end since {at}, by {by}', zh: '自 {at} 起被请求结束，请求者：{by}' },
  cancelSuperseded: { en: 'superseded at {at} by {by}', zh: '于 {at} 被 {by} 取代' },
  cancelWanted: { en: 'Asked to end: the turn ends as soon as it can.', zh: '已请求结束：该回合会尽快结束。' },
} as const satisfies Readonly<Record<string, Readonly<Record<Locale, string>>>>;
