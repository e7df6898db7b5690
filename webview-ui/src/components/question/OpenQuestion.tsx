import { plural } from "../../../../src/shared/l10n";
import { usePanelState } from "../../panel/hooks";
import { frontCall, isOpen } from "../../panel/questions";
import { exactApproval, exactQuestion } from "../../store/messages";
import { Approval } from "./Approval";
import { QuestionCard } from "./QuestionCard";

/** The question in front, above the composer: in sight wherever the conversation stands. The others come behind it. */
export function OpenQuestion() {
  const tool = usePanelState(state => frontCall(state.session));
  const others = usePanelState(state => Math.max(0, state.session.questions.length - 1));
  if (tool?.phase !== "asking") return null;
  const more = others === 0 ? undefined : plural(others, "1 more", "{0} more");
  const question = exactQuestion(tool);
  if (question && isOpen(question)) return <QuestionCard key={question.questionId} question={question} more={more} />;
  const approval = exactApproval(tool);
  if (approval === null || approval.answer !== undefined) return null;
  return <Approval key={approval.approvalId} approval={approval} more={more} />;
}
