// The goals at a place of a document, kept up to date.
#pragma once

#include "lean-bridge/client/rpc_session.h"

#include <QObject>
#include <QTimer>

namespace plumbline::lsp {

/// What one server says about one place. Shown as a whole, with the place it was asked for.
struct GoalsAnswer {
  enum class State {
    NoServer, ///< no server runs
    Waiting,  ///< asked; nothing has come yet
    NoState,  ///< there is no proof at this place
    Goals,    ///< `goals`, or all solved when there are none
    Crashed,  ///< the document's worker has died
    Failed,   ///< `message` says why
  };
  State state = State::NoServer;
  std::string uri;
  Position position;
  int version = 0; ///< of the document when it was asked
  std::vector<InteractiveGoal> goals;
  bool plain = false; ///< from `plainGoal`: the goals have a text only, in `type`
  std::optional<InteractiveTermGoal> termGoal;
  std::vector<InteractiveDiagnostic> messages; ///< on the line; plain ones when there are no interactive ones
  std::string message;
  std::vector<std::shared_ptr<HeldReferences>> references;
};

/// Follows a place. Whenever the place, the text, the progress or the diagnostics change it asks again after
/// a short pause, cancels what it asked before, and drops answers about other places.
class GoalFetcher : public QObject {
  Q_OBJECT
public:
  explicit GoalFetcher(LanguageClient& client, QObject* parent = nullptr);

  void setPlace(const std::string& uri, Position position);
  const GoalsAnswer& answer() const { return m_answer; }
  /// True while an answer for the present place or text has not come.
  bool pending() const { return m_round.open > 0 || m_delay.isActive(); }
  RpcSession* session() { return m_session.get(); }

signals:
  void changed();

private:
  struct Round {
    int number = 0;
    int open = 0; ///< answers that have not come
    GoalsAnswer answer;
    bool retry = false;
    bool plainAsked = false;
    std::vector<int> calls;
    int64_t plainRequest = -1;
  };
  static constexpr int retries = 5;

  void schedule();
  void ask();
  void cancelRound();
  void call(const char* method, Json params, void (GoalFetcher::*take)(RpcReply&&));
  void takeGoals(RpcReply&& reply);
  void takeTermGoal(RpcReply&& reply);
  void takeMessages(RpcReply&& reply);
  void askPlain();
  void takePlain(Reply&& reply);
  void failed(const Reply& reply);
  void done();
  void show(GoalsAnswer&& answer);
  void plainMessages(GoalsAnswer& answer) const;

  LanguageClient& m_client;
  std::unique_ptr<RpcSession> m_session;
  std::string m_uri;
  Position m_position;
  bool m_hasPlace = false;
  GoalsAnswer m_answer;
  Round m_round;
  int m_retriesLeft = retries;
  QTimer m_delay;
};

} // namespace plumbline::lsp
