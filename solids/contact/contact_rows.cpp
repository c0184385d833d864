#include "solids/contact/contact_rows.h"

#include <algorithm>
#include <numeric>

namespace drystone {
namespace {

Mat3 directionsOf(const Vec3& normal) {
  int axis = 0;
  normal.cwiseAbs().minCoeff(&axis);
  Mat3 directions;
  directions.col(0) = normal;
  directions.col(1) = normal.cross(Vec3::Unit(axis)).normalized();
  directions.col(2) = normal.cross(directions.col(1));
  return directions;
}

Real shiftOf(Real gap, Real duration, const SolidStabilization& stabilization) {
  if (gap >= 0) return gap / duration;
  return std::max(stabilization.gamma * gap / duration, -stabilization.maxPushSpeed);
}

}  // namespace

void SolidContactRows::build(std::span<const ContactCell> contacts, std::span<const Solid> bodies,
                             Real duration, const SolidStabilization& stabilization,
                             FrictionModel friction) {
  rowsOf_ = contactRows(friction);
  const int count = static_cast<int>(contacts.size());
  stored_.friction = friction;
  stored_.timestep = duration;
  stored_.blocks.resize(count);
  stored_.b.resize(std::size_t(rowsOf_) * count);
  directions_.resize(count);
  listEntries(contacts, bodies);
  for (int c = 0; c < count; ++c) {
    const ContactCell& contact = contacts[c];
    stored_.blocks[c] = {
        .key = contact.key, .firstRow = rowsOf_ * c, .rows = rowsOf_, .friction = contact.friction};
    directions_[c] = directionsOf(contact.normal);
    Vec3 velocity = Vec3::Zero();
    for (int e = entryBegin_[c]; e < entryBegin_[c + 1]; ++e) {
      velocity += entries_[e].weight * bodies[entries_[e].body].velocity()[entries_[e].node];
    }
    Real* b = &stored_.b[std::size_t(rowsOf_) * c];
    for (int i = 0; i < rowsOf_; ++i) b[i] = directions_[c].col(i).dot(velocity);
    b[0] += shiftOf(contact.gap, duration, stabilization);
  }
  numberCarriers();
  assemble();
}

void SolidContactRows::listEntries(std::span<const ContactCell> contacts,
                                   std::span<const Solid> bodies) {
  entries_.clear();
  entryBegin_.clear();
  for (const ContactCell& contact : contacts) {
    const std::size_t begin = entries_.size();
    entryBegin_.push_back(static_cast<int>(begin));
    const auto add = [&](int index, Real sign) {
      if (index < 0) return;
      const Solid& body = bodies[index];
      for (int c = 0; c < 8; ++c) {
        for (const NodeShare& share : body.nodes().sharesOf(body.grid().corner(contact.cell, c))) {
          const Real weight = sign * contact.weights[c] * share.weight;
          const auto same = std::find_if(entries_.begin() + begin, entries_.end(), [&](auto& e) {
            return e.body == index && e.node == share.node;
          });
          if (same != entries_.end()) {
            same->weight += weight;
          } else {
            entries_.push_back({index, share.node, weight, body.inverseMass(share.node)});
          }
        }
      }
    };
    add(contact.first, 1);
    add(contact.second, -1);
    std::sort(entries_.begin() + begin, entries_.end(), [](const Entry& a, const Entry& b) {
      return a.body != b.body ? a.body < b.body : a.node < b.node;
    });
  }
  entryBegin_.push_back(static_cast<int>(entries_.size()));
}

void SolidContactRows::numberCarriers() {
  order_.resize(entries_.size());
  std::iota(order_.begin(), order_.end(), 0);
  std::sort(order_.begin(), order_.end(), [&](int x, int y) {
    const Entry &a = entries_[x], &b = entries_[y];
    if (a.body != b.body) return a.body < b.body;
    return a.node != b.node ? a.node < b.node : x < y;
  });
  const int contacts = static_cast<int>(directions_.size());
  std::vector<int>& contactOf = carrier_;  // until each entry is met
  carrier_.resize(entries_.size());
  for (int c = 0; c < contacts; ++c) {
    std::fill(contactOf.begin() + entryBegin_[c], contactOf.begin() + entryBegin_[c + 1], c);
  }
  terms_.clear();
  termBegin_.clear();
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const Entry& entry = entries_[order_[i]];
    const bool isNew = i == 0 || entries_[order_[i - 1]].body != entry.body ||
                       entries_[order_[i - 1]].node != entry.node;
    if (isNew) termBegin_.push_back(static_cast<int>(i));
    terms_.push_back({contactOf[order_[i]], entry.weight});
    carrier_[order_[i]] = static_cast<int>(termBegin_.size()) - 1;
  }
  termBegin_.push_back(static_cast<int>(terms_.size()));
}

// Products and sums run in the same order for (c, d) and (d, c), so that A is symmetric to the bit.
void SolidContactRows::assemble() {
  if (!stored_.assembled) stored_.assembled.emplace();
  BlockSparseMatrix& matrix = *stored_.assembled;
  matrix.clear();
  const int contacts = static_cast<int>(directions_.size());
  coupling_.assign(contacts, 0);
  isCoupled_.assign(contacts, 0);
  matrix.rowStart.push_back(0);
  matrix.blockStart.push_back(0);
  matrix.valueStart.push_back(0);
  for (int c = 0; c < contacts; ++c) {
    coupled_.clear();
    for (int e = entryBegin_[c]; e < entryBegin_[c + 1]; ++e) {
      const Entry& entry = entries_[e];
      for (int t = termBegin_[carrier_[e]]; t < termBegin_[carrier_[e] + 1]; ++t) {
        const Term& term = terms_[t];
        if (isCoupled_[term.contact] == 0) coupled_.push_back(term.contact);
        isCoupled_[term.contact] = 1;
        coupling_[term.contact] += entry.inverseMass * (entry.weight * term.weight);
      }
    }
    std::sort(coupled_.begin(), coupled_.end());
    for (const int d : coupled_) {
      if (d == c) matrix.diagonal.push_back(static_cast<int>(matrix.blockColumn.size()));
      matrix.blockColumn.push_back(d);
      for (int i = 0; i < rowsOf_; ++i) {
        for (int j = 0; j < rowsOf_; ++j) {
          const Real turn =
              c == d ? Real(i == j) : directions_[c].col(i).dot(directions_[d].col(j));
          matrix.values.push_back(coupling_[d] * turn);
        }
      }
      matrix.valueStart.push_back(static_cast<int>(matrix.values.size()));
      coupling_[d] = 0;
      isCoupled_[d] = 0;
    }
    matrix.rowStart.push_back(rowsOf_ * (c + 1));
    matrix.blockStart.push_back(static_cast<int>(matrix.blockColumn.size()));
  }
}

Vec3 SolidContactRows::impulse(int contact, std::span<const Real> lambda) const {
  Vec3 impulse = Vec3::Zero();
  for (int i = 0; i < rowsOf_; ++i) {
    impulse += lambda[std::size_t(rowsOf_) * contact + i] * directions_[contact].col(i);
  }
  return impulse;
}

void SolidContactRows::apply(std::span<const Real> lambda, std::span<Solid> bodies) const {
  for (std::size_t c = 0; c < directions_.size(); ++c) {
    const Vec3 impulse = this->impulse(static_cast<int>(c), lambda);
    for (int e = entryBegin_[c]; e < entryBegin_[c + 1]; ++e) {
      bodies[entries_[e].body].applyImpulse(entries_[e].node, entries_[e].weight * impulse);
    }
  }
}

}  // namespace drystone
