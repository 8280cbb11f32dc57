import type { Catalogue } from './catalogue.ts';

export const agentTexts = {
  'agent.system': {
    en: [
      'You are a helpful assistant with tools.',
      'Use a tool when it gives a better answer than you alone; otherwise answer directly.',
      'When a call fails, read its hint before you do anything else.',
      'Answer in the language of the user.',
    ].join(' '),
    zh: [
      '你是一个可以使用工具的助手。',
      '当工具能给出比你自己更好的答案时使用工具，否则直接回答。',
      '调用失败时，先阅读其中的提示再决定下一步。',
      '使用用户的语言回答。',
    ].join(''),
  },
  'agent.max-steps': {
    en: 'Stopped after {steps} model requests without a final answer. {done}',
    zh: '已向模型请求 {steps} 次仍没有最终回答，到此停止。{done}',
  },
  'agent.turn-timeout': {
    en: 'Stopped: the time limit of {seconds} s for one answer was reached. {done}',
    zh: '已停止：达到单次回答 {seconds} 秒的时间限制。{done}',
  },
  'agent.repeated-calls': {
    en: 'Stopped: the model kept making the same call. {done}',
    zh: '已停止：模型不断重复同样的调用。{done}',
  },
  'agent.internal-note': {
    en: 'The answer failed through a fault of the runtime.',
    zh: '由于运行时内部错误，回答失败。',
  },
  'agent.answer-withheld': {
    en: 'The model’s service withheld the rest of the answer.',
    zh: '模型服务拦截了回答的其余部分。',
  },
  'agent.answer-cut': {
    en: 'The answer was cut: the model reached the greatest length of an answer.',
    zh: '回答被截断：模型达到了单次回答的最大长度。',
  },
  'agent.record-lost': {
    en: 'The call ended as shown, but that could not be written: the store will say later that its outcome is unknown.',
    zh: '调用结果如上所示，但未能写入存储；存储随后会将其结果记为未知。',
  },
  'agent.not-json': {
    en: 'The arguments of a call must be a JSON object; found {found}.',
    zh: '调用参数必须是 JSON 对象；实际为 {found}。',
  },
  'agent.not-text': { en: 'The {name} must be text, not {found}.', zh: '{name} 必须是文本，而不是 {found}。' },
  'agent.no-principal': {
    en: 'A principal is named and missing. Leave the member out to act as this program itself.',
    zh: '给出了 principal 字段却没有值。若以本程序自身的身份行事，请省略该字段。',
  },
  'agent.bad-role': {
    en: 'The role "{found}" is none; there are user, trusted and master.',
    zh: '没有角色“{found}”；可用的角色为 user、trusted、master。',
  },
  'agent.cancelled': { en: 'Cancelled. {done}', zh: '已取消。{done}' },
  'agent.approver-later': {
    en: 'This version cannot decide the rule {rule} of approval.approvers yet: it admits nobody to approve.',
    zh: '当前版本还不能判断 approval.approvers 的规则 {rule}：它不允许任何人审批。',
  },
  'agent.approver-unreadable': {
    en: 'The rule {rule} of approval.approvers cannot be read: nobody could approve.',
    zh: '无法识别 approval.approvers 的规则 {rule}：没有人能够审批。',
  },
  'agent.superseded': {
    en: 'Cancelled because of a newer message. {done}',
    zh: '因有更新的消息，已取消。{done}',
  },
  'agent.parked-note': {
    en: 'Earlier requests of this conversation wait ({count}); they go on by themselves when they are answered. Do not repeat them.',
    zh: '本会话中有 {count} 个先前的请求正在等待；得到答复后会自动继续。不要重复执行。',
  },
  'agent.waits-for-approval': {
    en: '{tool}: waiting for approval, code {code}',
    zh: '{tool}：等待审批，编号 {code}',
  },
  'agent.waits-for-answer': {
    en: '{tool}: waiting for an answer, code {code}',
    zh: '{tool}：等待回答，编号 {code}',
  },
  'agent.call-parked': {
    en: 'The call waits for a person (turn {turn}, code {codes}). It goes on with the next runtime on this store when it is answered.',
    zh: '该调用正在等待人工处理（回合 {turn}，编号 {codes}）。得到答复后，由下一个使用此存储的运行时继续。',
  },
  'agent.gave-up': {
    en: 'Given up: the program ended {times} times while it worked on this. {done}',
    zh: '已放弃：处理此请求时程序已中断 {times} 次。{done}',
  },
  'agent.interrupted': {
    en: 'The answer was interrupted because the program ended. {done}',
    zh: '程序已退出，回答被中断。{done}',
  },
  'agent.internal': {
    en: 'The answer failed through a fault of the runtime: {reason}',
    zh: '由于运行时内部错误，回答失败：{reason}',
  },
  'agent.done-nothing': { en: 'No tool was run.', zh: '没有执行任何工具。' },
  'agent.done-so-far': { en: 'Done so far: {calls}.', zh: '目前已执行：{calls}。' },
  'agent.done-perhaps': { en: 'May have happened: {calls}.', zh: '可能已执行：{calls}。' },
  'agent.done-both': { en: '{first} {second}', zh: '{first}{second}' },
  'agent.done-not': { en: 'Not done: {calls}.', zh: '未执行：{calls}。' },
  'agent.call-not-started': {
    en: '{tool} was not started: the program ended before.',
    zh: '{tool} 未开始执行：程序在此之前已退出。',
  },
  'agent.call-fate-unknown': {
    en: 'The program ended while {tool} was running; its result was lost.',
    zh: '{tool} 执行期间程序退出，结果已丢失。',
  },
  'agent.call-again': { en: 'It may be called again.', zh: '可以重新调用。' },
  'agent.input-empty': { en: 'The message is empty.', zh: '消息为空。' },
  'agent.input-too-long': {
    en: 'The message has {length} characters; at most {limit} are taken.',
    zh: '消息有 {length} 个字符，最多接受 {limit} 个。',
  },
  'agent.input-too-long-hint': {
    en: 'Shorten it, or put the text into a file that a tool can read.',
    zh: '请缩短内容，或把文本放进工具可以读取的文件。',
  },
  'agent.session-name': {
    en: 'A session name has 1 to 200 characters, none of them a control character.',
    zh: '会话名须为 1 到 200 个字符，且不含控制字符。',
  },
  'agent.closed': { en: 'The runtime is closed.', zh: '运行时已关闭。' },
  'agent.project-faulty': {
    en: 'The project is faulty ({count}); nothing was started.',
    zh: '项目中有 {count} 处错误，未启动。',
  },
  'agent.bad-option': {
    en: 'The option {name} is {found}; expected {expected}.',
    zh: '选项 {name} 为 {found}；应为 {expected}。',
  },
  'agent.unknown-option': {
    en: 'There is no option {name}. Options: {known}.',
    zh: '没有选项 {name}。可用选项：{known}。',
  },
  'agent.bad-input': {
    en: '{name} is {found}; expected {expected}. Nothing was done.',
    zh: '{name} 为 {found}；应为 {expected}。没有执行任何操作。',
  },
  'agent.nobody-to-ask': {
    en: 'Nobody can be asked in this turn.',
    zh: '本回合没有可以询问的人。',
  },
  'agent.ask-no-more': {
    en: 'Do not ask the same again. Go on with what is known, or say what is missing.',
    zh: '不要再问同样的问题。请根据已知信息继续，或说明还缺少什么。',
  },
} as const satisfies Catalogue;
